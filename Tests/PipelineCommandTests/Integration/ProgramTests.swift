import Testing

/// The tests that start the program, one after the other: a machine with few cores has enough to do.
@Suite("The program", .serialized)
enum ProgramTests {}
