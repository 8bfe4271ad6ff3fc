import MillraceTesting
import Testing

@Suite struct TestStreamTests {
  let stream = TestStream<Int>()

  @Test func elementsAreReadInTheirOrderAndKeptUntilThen() async {
    stream.send(1)
    stream.send(2)
    stream.finish()
    #expect(stream.unreadCount == 2)
    #expect(await stream.reduce(into: []) { $0.append($1) } == [1, 2])
    #expect(await stream.first { _ in true } == nil)
  }

  @Test func aReaderWaitsUntilTheTestSends() async throws {
    let reading = Task { [stream] in await stream.first { $0 > 1 } }
    try await stream.readers(atLeast: 1)
    stream.send(1)
    try await stream.readers(atLeast: 1)
    stream.send(2)
    #expect(await reading.value == 2)
    #expect(stream.readerCount == 0)
  }

  @Test func theEndResumesEveryReader() async throws {
    let readings = (0..<3).map { _ in Task { [stream] in await stream.first { _ in true } } }
    try await stream.readers(atLeast: 3)
    stream.finish()
    for reading in readings { #expect(await reading.value == nil) }
    stream.send(1)
    #expect(stream.unreadCount == 0)
  }

  @Test func eachElementGoesToOneReader() async throws {
    let readings = (0..<4).map { _ in Task { [stream] in await stream.first { _ in true } } }
    try await stream.readers(atLeast: 4)
    for element in 0..<4 { stream.send(element) }
    var read: [Int?] = []
    for reading in readings { read.append(await reading.value) }
    #expect(read.compactMap(\.self).sorted() == [0, 1, 2, 3])
  }

  @Test func aReaderThatIsCancelledGetsNothing() async throws {
    let reading = Task { [stream] in await stream.first { _ in true } }
    try await stream.readers(atLeast: 1)
    reading.cancel()
    #expect(await reading.value == nil)
    stream.send(1)
    #expect(stream.unreadCount == 1)
  }
}
