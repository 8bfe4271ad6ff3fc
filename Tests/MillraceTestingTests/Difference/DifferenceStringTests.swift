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
    #expect(Difference(expected: "a\nb", actual: "a\nc").lines == [#"line 2: expected "b", is "c""#])
    #expect(lines("a\nb", "a\r\nb") == [#"body: "a\nb" → "a\r\nb""#])
    let long = String(repeating: "x", count: 80)
    #expect(
      lines("a\n\(long)b", "a\n\(long)c")
        == [#"body, line 2, from character 81: "…xxxxxxxxxxb" → "…xxxxxxxxxxc""#])
  }
}
