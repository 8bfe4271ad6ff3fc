import Testing

@testable import MillraceSystem

@Suite struct LineSplitterTests {
  /// The lines of a text that comes in parts of so many bytes; `+` marks those that are continued.
  private func lines(of text: String, longest: Int, partsOf size: Int) -> [String] {
    var splitter = LineSplitter(longest: longest)
    var (lines, rest): ([LineSplitter.Line], ArraySlice<UInt8>) = ([], ArraySlice(text.utf8))
    while !rest.isEmpty {
      lines += splitter.bytesArrived(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    lines += [splitter.ended()].compactMap(\.self)
    return lines.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.isContinued ? "+" : "") }
  }

  @Test("lines are the same however the bytes come in", arguments: 1...9)
  func parts(size: Int) {
    #expect(lines(of: "", longest: 9, partsOf: size) == [])
    #expect(lines(of: "one\n\ntwo\r\nthree", longest: 9, partsOf: size) == ["one", "", "two\r", "three"])
    #expect(lines(of: "\n\n", longest: 9, partsOf: size) == ["", ""])
    // Exactly as long as may be is no longer.
    #expect(
      lines(of: "abcd\nabcdefghij\nabcdefgh\nabcd", longest: 4, partsOf: size)
        == ["abcd", "abcd+", "efgh+", "ij", "abcd+", "efgh", "abcd"])
  }

  @Test("a limit that cannot be kept counts as one byte", arguments: [0, -5])
  func tooShort(longest: Int) {
    #expect(lines(of: "ab\n", longest: longest, partsOf: 3) == ["a+", "b"])
  }
}
