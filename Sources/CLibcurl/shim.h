#ifndef PIPELINE_CLIBCURL_SHIM_H
#define PIPELINE_CLIBCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic functions. Each of libcurl's gets one wrapper for each type of
// argument, because the callee reads exactly the type that the option documents.

static inline CURLcode pipeline_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_function(CURL *handle, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode pipeline_curl_set_seek(CURL *handle, curl_seek_callback value) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

// The type has a name only since 7.80.
typedef int (*pipeline_curl_before_request)(void *, char *, char *, int, int);

// Sets what is called each time a request is about to be sent; CURLE_UNKNOWN_OPTION before 7.80.
static inline CURLcode pipeline_curl_set_before_request(
    CURL *handle, pipeline_curl_before_request function, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function) : code;
#else
    (void)handle, (void)function, (void)context;
    return CURLE_UNKNOWN_OPTION;
#endif
}

static inline CURLcode pipeline_curl_allow_only_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// HTTP/3 and nothing else; before 7.88 there was no falling back, and one name for both.
static inline CURLcode pipeline_curl_demand_http3(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075800
    return curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_3ONLY);
#else
    return curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_3);
#endif
}

// Lets a transfer be removed while its name lookup still blocks a thread; without effect before 7.87.
static inline CURLcode pipeline_curl_abandon_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
    return CURLE_OK;
#endif
}

static inline const curl_version_info_data *pipeline_curl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

static inline CURLcode pipeline_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pipeline_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pipeline_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pipeline_curl_get_pointer(CURL *handle, CURLINFO info, void **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode pipeline_curl_get_certificates(CURL *handle, struct curl_certinfo **value) {
    return curl_easy_getinfo(handle, CURLINFO_CERTINFO, value);
}

static inline CURLMcode pipeline_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

static inline CURLSHcode pipeline_curl_share(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

#endif
