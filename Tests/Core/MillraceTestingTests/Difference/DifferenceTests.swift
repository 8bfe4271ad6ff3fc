import MillraceTesting
import Testing

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private struct Cart: Equatable, Sendable {
  var count = 0
  var rows: [Row] = []
}

private struct Profile: Equatable, Sendable {
  var name = "Ann"
  var address: Address? = Address()
  var size = (width: 1, height: 2)
  struct Address: Equatable, Sendable { var city = "Rome" }
  static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.address == right.address && left.size == right.size
  }
}

@Suite("Difference") struct DifferenceTests {
  @Test("equal values do not differ") func equal() {
    let difference = Difference(from: Cart(count: 1), to: Cart(count: 1))
    #expect(difference.isEmpty && difference.count == 0 && difference.lines == [])
    #expect(difference.description == "no difference")
  }

  @Test("only what differs is shown, with its path") func example() {
    let old = Cart(count: 0, rows: [Row(id: 7, title: "Frogs"), Row(id: 9, title: "Newts")])
    let new = Cart(count: 1, rows: [Row(id: 7, title: "Toads")])
    #expect(
      Difference(from: old, to: new).description == """
          count: 0 → 1
          rows[id: 9]: removed Row(id: 9, title: "Newts")
          rows[id: 7].title: "Frogs" → "Toads"
        """)
    #expect(
      Difference(expected: old, actual: new).description == """
          count: expected 0, is 1
          rows[id: 9]: missing Row(id: 9, title: "Newts")
          rows[id: 7].title: expected "Frogs", is "Toads"
        """)
  }

  @Test("the place of a line is the same for all elements of a collection") func places() {
    let rows = [Row(id: 1, title: "a\nb"), Row(id: 2, title: "c")]
    let cart = Cart(count: 0, rows: rows)
    let other = Cart(count: 1, rows: [Row(id: 1, title: "a\nB"), Row(id: 2, title: "C")])
    #expect(Difference(from: cart, to: other).places == ["count", "rows[].title", "rows[].title"])
    var profile = Profile()
    profile.address?.city = "Oslo"
    profile.size.width = 2
    #expect(Difference(from: Profile(), to: profile).places == ["address.city", "size.width"])
    #expect(Difference(from: ["a]": [1], "b": [2]], to: ["a]": [3], "b": [4]]).places.last == "[][]")
    #expect(Difference(from: 1, to: 2).places == [""])
    #expect(Difference(from: cart, to: other, showing: 1).places == ["count"])
  }

  @Test("a whole value that differs has no path") func root() {
    #expect(Difference(from: 1, to: 2).lines == ["1 → 2"])
    #expect(Difference(expected: "a", actual: "b").lines == [#"expected "a", is "b""#])
    #expect(Difference(from: ["a"], to: ["a", "b"]).lines == [#"[1]: added "b""#])
  }

  @Test("structs in structs, optionals and tuples are looked into") func nested() {
    var profile = Profile()
    profile.address?.city = "Oslo"
    profile.size.height = 3
    #expect(
      Difference(from: Profile(), to: profile).lines == [
        #"address?.city: "Rome" → "Oslo""#, "size.height: 2 → 3",
      ])
    #expect(Difference(from: (1, "a"), to: (1, "b")).lines == [#".1: "a" → "b""#])
  }

  @Test("an optional that is nil on one side is shown on both") func optionals() {
    var profile = Profile()
    profile.address = nil
    #expect(
      Difference(from: Profile(), to: profile).lines == [#"address: Address(city: "Rome") → nil"#])
    #expect(
      Difference(from: profile, to: Profile()).lines == [#"address: nil → Address(city: "Rome")"#])
    #expect(Difference(from: Optional<Int>.none, to: Optional<Int>.none).isEmpty)
    #expect(Difference(from: [Optional<Int>.none, 1], to: [2, 1]).lines == ["[0]: nil → 2"])
    let (one, none, nan): (Int??, Int??, Double??) = (1, .some(nil), .nan)
    #expect(Difference(from: one, to: none).lines == ["1 → .some(nil)"])
    #expect(Difference(from: none, to: nil).lines == [".some(nil) → nil"])
    #expect(Difference(from: none, to: none).isEmpty)
    struct Deep: Equatable { var value: Int??? }
    #expect(
      Difference(from: Deep(value: .some(.some(nil))), to: Deep(value: .some(nil))).lines
        == ["value: .some(.some(nil)) → .some(nil)"])
    #expect(Difference(from: Deep(value: 1), to: Deep(value: 2)).lines == ["value: 1 → 2"])
    #expect(Difference(from: nan, to: nan).isEmpty)
  }

  @Test("more differences than are shown are counted") func bounded() {
    let difference = Difference(from: Array(0..<57), to: Array(100..<157), showing: 2)
    #expect(difference.count == 57 && difference.lines.count == 2)
    #expect(
      difference.description == """
          [0]: 0 → 100
          [1]: 1 → 101
          and 55 more
        """)
    #expect(Difference(from: 1, to: 2, showing: 0).description == "  and 1 more")
    #expect(Difference(from: Array(0..<57), to: Array(100..<157)).lines.count == 20)
  }

  @Test("a large value is shown by its beginning") func large() {
    let rows = (0..<100_000).map { Row(id: $0, title: "title") }
    let line = Difference(from: Optional<[Row]>.none, to: rows).lines[0]
    let beginning =
      #"[Row(id: 0, title: "title"), Row(id: 1, title: "title"), Row(id: 2, title: "title"), Row(id: 3, titl…"#
    #expect(line == "nil → \(beginning)")
    #expect(Difference(from: Optional<Int>.none, to: 5).lines == ["nil → 5"])
  }
}
