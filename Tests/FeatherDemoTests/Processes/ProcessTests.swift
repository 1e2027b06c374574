import Testing

/// The tests that run the executable. They run one at a time, because each starts a process.
@Suite(.serialized) struct ProcessTests {}
