import Testing

@testable import linkcheck

@Suite("Text from elsewhere")
struct OneLineTests {
  private let text = "a\u{1B}[31m\n\t\r\u{7F}\u{9B}1m\u{202E}\u{2028}\u{85}é\u{1F600}"

  @Test("what a terminal acts upon is shown as an escape, all else stays")
  func escapes() {
    #expect(
      OneLine.text(text) == "a\\u{1B}[31m\\n\\t\\r\\u{7F}\\u{9B}1m\\u{202E}\\u{2028}\\u{85}é\u{1F600}")
    #expect(OneLine.text("plain é") == "plain é")
    // A newline and a carriage return are one character of Swift's.
    #expect(OneLine.text("a\r\nb") == "a\\r\\nb")
  }

  @Test("in JSON too, where the escapes are JSON's and its own lines stay")
  func json() {
    #expect(OneLine.json("{\n  \"a\u{9B}\u{7F}\u{202E}\"\n}") == "{\n  \"a\\u009b\\u007f\\u202e\"\n}")
  }

  @Test("of a path that is no text, the bytes are shown")
  func paths() {
    #expect(FilePath.text(Array("/a/é".utf8)) == "/a/é")
    #expect(FilePath.text([0x2F, 0xE4, 0x62, 0xC3, 0xA9, 0xFF]) == "/\\xE4bé\\xFF")
    #expect(FilePath.terminated([0x61, 0]) == nil)
  }
}
