// Tells ThreadSanitizer what Swift's Mutex does when it is contended.
//
// On Linux the slow paths of Synchronization.Mutex live in libswiftSynchronization.so, which is not
// instrumented: the sanitizer does not see the lock change hands there and reports races that do not
// exist (Swift 6.3). Preloaded, these functions take the place of the three slow paths, call them,
// and say what they did.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define MUTEX "$s15Synchronization12_MutexHandleV"
#define SELF __attribute__((swift_context)) void *self

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) bool try_function(SELF);
typedef __attribute__((swiftcall)) void unlock_function(SELF);

lock_function lock_slow __asm__(MUTEX "9_lockSlowyys6UInt32VF");
try_function try_lock_slow __asm__(MUTEX "12_tryLockSlowSbyF");
unlock_function unlock_slow __asm__(MUTEX "11_unlockSlowyyF");

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF) {
    lock_function *original = (lock_function *)dlsym(RTLD_NEXT, MUTEX "9_lockSlowyys6UInt32VF");
    original(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) bool try_lock_slow(SELF) {
    try_function *original = (try_function *)dlsym(RTLD_NEXT, MUTEX "12_tryLockSlowSbyF");
    bool is_locked = original(self);
    if (is_locked && __tsan_acquire) __tsan_acquire(self);
    return is_locked;
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
    unlock_function *original = (unlock_function *)dlsym(RTLD_NEXT, MUTEX "11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    original(self);
}
