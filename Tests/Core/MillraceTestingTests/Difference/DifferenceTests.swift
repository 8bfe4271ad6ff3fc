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
    let keyed = Difference(from: ["a]b, [c": Profile()], to: ["a]b, [c": profile])
    #expect(keyed.places == ["[].address.city", "[].size.width"])
    #expect(Difference(from: 1, to: 2).places == [""])
    #expect(Difference(from: cart, to: other, showing: 1).places == ["count"])
  }

  @Test("a whole value that differs has no path") func root() {
    expectChange(1, 2, "1 → 2")
    expectDeviation("a", "b", #"expected "a", is "b""#)
    expectChange(["a"], ["a", "b"], #"[1]: added "b""#)
  }

  @Test("structs in structs, optionals and tuples are looked into") func nested() {
    var profile = Profile()
    profile.address?.city = "Oslo"
    profile.size.height = 3
    expectChange(Profile(), profile, #"address?.city: "Rome" → "Oslo""#, "size.height: 2 → 3")
    expectChange((1, "a"), (1, "b"), #".1: "a" → "b""#)
  }

  @Test("an optional that is nil on one side is shown on both") func optionals() {
    var profile = Profile()
    profile.address = nil
    expectChange(Profile(), profile, #"address: Address(city: "Rome") → nil"#)
    expectChange(profile, Profile(), #"address: nil → Address(city: "Rome")"#)
    expectChange(Optional<Int>.none, Optional<Int>.none)
    expectChange([Optional<Int>.none, 1], [2, 1], "[0]: nil → 2")
    let (one, none, nan): (Int??, Int??, Double??) = (1, .some(nil), .nan)
    expectChange(one, none, "1 → .some(nil)")
    expectChange(none, nil, ".some(nil) → nil")
    expectChange(none, none)
    struct Deep: Equatable { var value: Int??? }
    expectChange(
      Deep(value: .some(.some(nil))), Deep(value: .some(nil)), "value: .some(.some(nil)) → .some(nil)")
    expectChange(Deep(value: 1), Deep(value: 2), "value: 1 → 2")
    expectChange(nan, nan)
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
    expectChange(Optional<Int>.none, 5, "nil → 5")
  }
}
