import Testing

@testable import orders

/// What a server that is not Redis, or wishes ill, can answer with.
@Suite struct RespReaderTests {
  private func answers(_ text: String) throws -> [Result<RespValue, RespError>] {
    var (reader, answers) = (RespReader(), [Result<RespValue, RespError>]())
    for byte in text.utf8 {
      reader.received([byte])
      while let answer = try reader.next() { answers.append(answer) }
    }
    return answers
  }

  @Test("answers are read in parts of any size")
  func parts() throws {
    #expect(
      try answers("+OK\r\n:12\r\n$5\r\nhe\r\no\r\n*2\r\n*1\r\n$-1\r\n:3\r\n*0\r\n") == [
        .success(.text("OK")), .success(.number(12)), .success(.text("he\r\no")),
        .success(.list([.list([.none]), .number(3)])), .success(.list([])),
      ])
  }

  @Test("an error within a list is that of the whole, and the next answer is the next one's")
  func errorWithin() throws {
    #expect(
      try answers("*2\r\n-ERR a\r\n:1\r\n+next\r\n") == [
        .failure(RespError(description: "ERR a")), .success(.text("next")),
      ])
  }

  @Test("a length or a depth beyond bounds is a failure, and a count takes no memory")
  func bounds() throws {
    for text in [
      "$9223372036854775807\r\n", "$x\r\n", String(repeating: "*1\r\n", count: 100_000), "hello\r\n", "+OK\n",
      String(repeating: "+", count: 100_000),
    ] {
      #expect(throws: RespFailure.self, "\(text.prefix(20))") { try answers(text) }
    }
    #expect(try answers("*9223372036854775807\r\n:1\r\n").isEmpty)
  }
}
