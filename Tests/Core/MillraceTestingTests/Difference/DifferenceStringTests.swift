import MillraceTesting
import Testing

@Suite("Difference of strings") struct DifferenceStringTests {
  private struct Note: Equatable { var body: String }

  private func lines(_ old: String, _ new: String) -> [String] {
    Difference(from: Note(body: old), to: Note(body: new)).lines
  }

  @Test("short strings are shown whole") func short() {
    #expect(lines("the cat", "the dog") == [#"body: "the cat" → "the dog""#])
    #expect(lines("", "a\tb") == [#"body: "" → "a\tb""#])
  }

  @Test("of a long string, the part that differs is shown") func long() {
    let before = String(repeating: "x", count: 80)
    #expect(
      lines(before + "the lazy cat sat" + before, before + "the lazy dog sat" + before)
        == [#"body, from character 90: "…xthe lazy cat satxxxxxx…" → "…xthe lazy dog satxxxxxx…""#])
    #expect(lines(before, before + "y") == [#"body, from character 81: "…xxxxxxxxxx" → "…xxxxxxxxxxy""#])
  }

  @Test("of strings of many lines, the lines that differ are shown") func multiline() {
    #expect(
      lines("one\ntwo\nthree", "one\n2\nthree\nfour") == [
        #"body, line 2: "two" → "2""#, #"body, line 4: added "four""#,
      ])
    #expect(lines("one\ntwo", "two") == [#"body, line 1: removed "one""#])
    expectDeviation("a\nb", "a\nc", #"line 2: expected "b", is "c""#)
    #expect(lines("a\nb", "a\r\nb") == [#"body, line 1: "a" → "a\r""#])
    let long = String(repeating: "x", count: 80)
    #expect(
      lines("a\n\(long)b", "a\n\(long)c")
        == [#"body, line 2, from character 81: "…xxxxxxxxxxb" → "…xxxxxxxxxxc""#])
  }

  @Test("characters without a shape are shown by their code points") func invisible() {
    #expect(lines("a b", "a\u{A0}b") == [#"body: "a b" → "a\u{A0}b""#])
    #expect(lines("a", "a\u{200B}") == [#"body: "a" → "a\u{200B}""#])
    #expect(lines("\u{FEFF}a", "\u{202E}a") == [#"body: "\u{FEFF}a" → "\u{202E}a""#])
    #expect(lines("a\u{301}", "\u{301}") == [#"body: "á" → "\u{301}""#])
    #expect(lines("1\u{7}\"\\", "1") == [#"body: "1\u{7}\"\\" → "1""#])
    #expect(lines("\u{E000}", "\u{2028}") == [#"body: "\u{E000}" → "\u{2028}""#])
  }

  @Test("emojis stay whole where something else differs") func emoji() {
    #expect(lines("❤", "❤\u{FE0F}") == [#"body: "❤" → "❤\u{FE0F}""#])
    #expect(lines("👨‍👩‍👧 a", "👨‍👩‍👧 b") == [#"body: "👨‍👩‍👧 a" → "👨‍👩‍👧 b""#])
    #expect(lines("👨‍👩", "👨👩") == [#"body: "👨\u{200D}👩" → "👨👩""#])
  }

  @Test("of characters that are spelled in two ways, those that differ are found") func respelled() {
    let (one, two) = (String(repeating: "é", count: 80), String(repeating: "e\u{301}", count: 80))
    #expect(
      lines(one + "a", two + "b") == [
        #"body, from character 81: "…éééééééééé\#("a")" → "…\#(two.suffix(10))b""#
      ])
    #expect(lines(one, two).isEmpty)
    let x = String(repeating: "x", count: 80)
    #expect(lines(x + "e", x + "e\u{301}") == [#"body, from character 81: "…xxxxxxxxxxe" → "…xxxxxxxxxxé""#])
    #expect(
      lines(x + "é" + x, x + "e" + x) == [
        #"body, from character 81: "…xxxxxxxxxxéxxxxxxxxxx…" → "…xxxxxxxxxxexxxxxxxxxx…""#
      ])
  }

  @Test("a string of a megabyte is compared, and shown by the part that differs") func large() {
    let x = String(repeating: "x", count: 1_000_000)
    #expect(
      lines(x + "a", x + "b") == [
        #"body, from character 1000001: "…xxxxxxxxxxa" → "…xxxxxxxxxxb""#
      ])
    let rows = String(repeating: "a row\n", count: 100_000)
    #expect(
      lines("first\n" + rows + "a", "1st\n" + rows + "b") == [
        #"body, line 1: "first" → "1st""#, #"body, line 100002: "a" → "b""#,
      ])
    let other = String(repeating: "another\n", count: 100_000)
    let difference = Difference(from: Note(body: rows), to: Note(body: other))
    #expect(difference.count == 100_000 && difference.lines.count == 20)
    let cut = Difference(from: Optional<Note>.none, to: Note(body: x)).lines[0]
    #expect(cut == #"nil → Note(body: "\#(x.prefix(88))…"#)
  }
}
