import Testing

/// The tests that run the executable, one at a time: each is a process of its own.
@Suite(.serialized) struct ProcessTests {}
