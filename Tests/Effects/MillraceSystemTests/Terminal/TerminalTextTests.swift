import Testing

@testable import MillraceSystem

@Suite struct TerminalTextTests {
  @Test(
    "ideographs and pictures take two columns, marks none",
    arguments: [
      ("", 0), ("abc", 3), ("\u{e9}e\u{301}", 2), ("漢字", 4), ("ｱ", 1), ("한", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("❤️", 2),
      ("\u{200B}", 0),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalText.columns(of: text) == columns)
  }

  @Test("a text is cut where a character has no room")
  func prefix() {
    #expect(TerminalText.prefix(of: "a漢字", columns: 4) == "a漢")
    #expect(TerminalText.prefix(of: "a漢字", columns: 5) == "a漢字")
    #expect(TerminalText.prefix(of: "abc", columns: 0) == "")
  }

  @Test("what moves the cursor is shown as an escape, and all else stays")
  func visible() {
    #expect(
      TerminalText.visible("a\u{1B}[2J\r\n\t\u{7F}\u{9B}\u{2028}\u{202E}\u{200F}\u{61C}b")
        == "a\\u{1B}[2J\\r\\n\\t\\u{7F}\\u{9B}\\u{2028}\\u{202E}\\u{200F}\\u{61C}b")
    #expect(TerminalText.visible("ü 漢 👩‍👧") == "ü 漢 👩‍👧")
    #expect(TerminalText.visible("a\tb\0") { $0 == "\t" ? "\t" : "?" } == "a\tb?")
  }
}
