import Testing

@testable import PipelineStub

@Suite("A stub's path")
struct StubPathTests {
    private static let pieces: [(StubPath, String)] = [
        (StubPath("/a/b"), "/a/b"),
        (StubPath("a/b"), "/a/b"),
        (StubPath(""), "/"),
        (StubPath("/"), "/?x"),
        (StubPath("/a?x=1"), "/a"),
        (StubPath("/a?x=1"), "/a?y=/2"),
        (StubPath("/a#b"), "/a"),
        (StubPath("/a"), "http://host/a?x"),
        (StubPath("/"), "http://host"),
        (StubPath("/"), "http://host?x=/y"),
        (StubPath("/a%20b"), "/a b"),
        (StubPath("/ü"), "/%C3%BC"),
        (StubPath("/%7Eada"), "/~ada"),
        (StubPath("/%41%zz%4"), "/A%zz%4"),
        (StubPath("/a%2Fb"), "/a%2fb"),
        (StubPath([.literal("/users/"), .hole]), "/users/7"),
        (StubPath([.literal("/users/"), .hole]), "/users/"),
        (StubPath([.literal("/users/"), .hole]), "/users/a%2Fb?x=1"),
        (StubPath([.literal("/users/"), .hole, .literal("/posts")]), "/users/7/posts"),
        (StubPath([.hole, .literal("/posts")]), "/7/posts"),
        (StubPath([.literal("/"), .hole, .literal("."), .hole]), "/a.b.c"),
        (StubPath([.literal("/a"), .hole, .literal("ab"), .hole, .literal("b")]), "/aabb"),
        (StubPath([.literal("/a"), .hole, .hole, .literal("b")]), "/ab"),
        (StubPath([.literal("/a?x="), .hole, .literal("/b")]), "/a"),
    ]

    @Test("matches, without regard to the query and to percent-encoding", arguments: pieces)
    func matches(path: StubPath, target: String) {
        #expect(path.matches(StubPath.segments(ofTarget: target)))
    }

    private static let others: [(StubPath, String)] = [
        (StubPath("/a/b"), "/a"),
        (StubPath("/a"), "/a/"),
        (StubPath("/a"), "/A"),
        (StubPath("/a"), "//a"),
        (StubPath("/"), "*"),
        (StubPath("/a/b"), "/a%2Fb"),
        (StubPath("/a%2Fb"), "/a/b"),
        (StubPath([.literal("/users/"), .hole]), "/users/7/posts"),
        (StubPath([.literal("/users/"), .hole]), "/users"),
        (StubPath([.literal("/a"), .hole, .literal("ab"), .hole, .literal("b")]), "/aab"),
        (StubPath([.literal("/ab"), .hole, .literal("ba")]), "/aba"),
        (StubPath([.literal("/"), .hole, .literal("x")]), "/xy"),
    ]

    @Test("does not match", arguments: others)
    func differs(path: StubPath, target: String) {
        #expect(!path.matches(StubPath.segments(ofTarget: target)))
    }

    @Test("is equal to the same path written in another way")
    func equality() {
        #expect(StubPath("/a%20b?x") == StubPath("a b"))
        #expect(StubPath([.literal("/a"), .hole]) != StubPath("/a{}"))
        #expect(
            StubPath([.literal("/a%20"), .hole, .literal("/b?"), .hole]).description == "/a {}/b")
    }
}
