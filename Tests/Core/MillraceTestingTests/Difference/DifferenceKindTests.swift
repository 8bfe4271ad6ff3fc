import Foundation
import MillraceTesting
import Testing

private enum Phase: Equatable {
  case idle
  case waiting
  case loading(Int)
  case loaded(page: Int, of: Int)
  case failed(message: String)
}

private class Node {
  var name: String
  var next: Node?
  init(_ name: String) { self.name = name }
}

private final class Leaf: Node {
  var weight = 1
}

private final class Opaque {}

/// Equal by a part that reflection does not show.
private struct Secret: Equatable, CustomReflectable {
  var shown = 1
  var hidden = 0
  var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
}

@Suite("Difference of enums, objects and numbers") struct DifferenceKindTests {
  @Test("of one case, the payloads are compared") func sameCase() {
    expectChange(Phase.loading(1), .loading(2), "loading: 1 → 2")
    expectChange(Phase.loaded(page: 1, of: 2), .loaded(page: 1, of: 3), "loaded.of: 2 → 3")
    expectChange(Phase.failed(message: "a"), .failed(message: "b"), #"failed.message: "a" → "b""#)
  }

  @Test("a change of the case shows both cases") func otherCase() {
    expectChange(Phase.idle, .waiting, ".idle → .waiting")
    expectChange(Phase.idle, .loading(2), ".idle → .loading(2)")
    expectChange(
      ["p": Phase.loaded(page: 1, of: 2)], ["p": .failed(message: "b")],
      #"["p"]: .loaded(page: 1, of: 2) → .failed(message: "b")"#)
  }

  @Test("a NaN does not differ from a NaN") func numbers() {
    struct Reading: Equatable { var value: Double, unit = "m" }
    expectChange(Reading(value: .nan), Reading(value: .nan))
    expectChange([Float.nan], [.nan])
    expectChange(Reading(value: .nan), Reading(value: 1), "value: nan → 1.0")
    expectChange(Reading(value: .nan), Reading(value: .nan, unit: "km"), #"unit: "m" → "km""#)
    expectChange(0.0, -0.0)
  }

  @Test("what == tells apart and reflection does not, is said") func hidden() {
    expectChange(
      [1: Secret()], [1: Secret(hidden: 1)],
      "[1]: unequal by ==, in something that reflection does not show: Secret(shown: 1)")
    expectChange(Secret(), Secret(shown: 2), "shown: 1 → 2")
  }

  @Test("objects are compared like values, with their superclasses") func objects() {
    let (old, new) = (Leaf("a"), Leaf("b"))
    new.weight = 2
    expectChange(old, new, "weight: 1 → 2", #"name: "a" → "b""#)
    expectChange(old, old)
    expectChange(Node("a"), Node("a"))
  }

  @Test("two instances with nothing to compare differ") func opaque() {
    let object = Opaque()
    expectChange(object, object)
    expectChange(Opaque(), Opaque(), "another instance of Opaque, of which reflection shows nothing")
  }

  @Test("values of different types that read alike show their types") func types() {
    expectChange(1 as Any, 1.0 as Any, "1 → 1.0")
    expectChange(1 as Any, UInt8(1) as Any, "1 (Int) → 1 (UInt8)")
    expectChange([1 as any Hashable], ["a"], #"[0]: 1 → "a""#)
  }

  @Test("functions do not differ") func functions() {
    struct Button {
      var title: String
      var press: () -> Void
    }
    expectChange(Button(title: "a") {}, Button(title: "b") { print() }, #"title: "a" → "b""#)
  }

  @Test("what describes itself in a few words is shown by them") func described() throws {
    struct Money: Equatable, CustomStringConvertible {
      var cents: Int
      var description: String { "€\(cents / 100)" }
    }
    expectChange(Money(cents: 100), Money(cents: 200), "€1 → €2")
    expectChange(Money(cents: 100), Money(cents: 101), "cents: 100 → 101")
    expectChange(Duration.seconds(1), .seconds(2), "1.0 seconds → 2.0 seconds")
    let (old, new) = (
      try #require(URL(string: "https://swift.org/a")), try #require(URL(string: "https://swift.org/b"))
    )
    expectChange(old, new, "https://swift.org/a → https://swift.org/b")
    expectChange(
      Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1),
      "1970-01-01 00:00:00 +0000 → 1970-01-01 00:00:01 +0000")
    expectChange(0..<3, 0..<4, "Range(0..<3) → Range(0..<4)")
    expectChange(UInt8(0)..<3, 0..<4, "Range(0..<3) → Range(0..<4)")
  }

  @Test("dates and durations are shown to the digit that differs") func precise() {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    expectChange(
      date(0.1234), date(0.1239), "2001-01-01 00:00:00.1234 +0000 → 2001-01-01 00:00:00.1239 +0000")
    expectChange(date(1), date(1.05), "2001-01-01 00:00:01.00 +0000 → 2001-01-01 00:00:01.05 +0000")
    expectChange(date(-0.75), date(-0.5), "2000-12-31 23:59:59.2 +0000 → 2000-12-31 23:59:59.5 +0000")
    expectChange(date(1e-12), date(2e-12), "1e-12 seconds since 2001 → 2e-12 seconds since 2001")
    expectChange(date(-1e-17), date(-2e-17), "-1e-17 seconds since 2001 → -2e-17 seconds since 2001")
    expectChange(Duration.seconds(1), .seconds(1) + .nanoseconds(1), "1.0 seconds → 1.000000001 seconds")
    let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
    expectChange(Duration.seconds(-1), .seconds(-1) - least, "-1.0 seconds → -1.000000000000000001 seconds")
  }

  @Test("data is compared byte by byte, and shown by the places that differ") func data() {
    expectChange(Data([1, 2, 3]), Data([1, 5, 3]), "[1]: 2 → 5")
    expectChange(Data([1]), Data([1, 5]), "[1]: added 5")
    expectChange(
      Data([1, 2, 3, 4]), Data([1, 8, 9, 4, 5, 6]), "[1..<3]: 2 bytes 02 03 → 2 bytes 08 09",
      "[4..<6]: added 2 bytes 05 06")
    expectDeviation([1, 2, 3] as [UInt8], [3], "[0..<2]: missing 2 bytes 01 02")
    expectChange([1, 2] as [UInt8], [1, 2])
    expectChange(Data([1, 2, 3])[1...], Data([2, 4]), "[1]: 3 → 4")
  }

  @Test("two megabytes of data are compared by what differs") func largeData() {
    let old = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    var new = old
    new[1_500_000] &+= 1
    #expect(Difference(from: old, to: new).count == 1)
    #expect(
      Difference(from: old, to: Data([200]) + old.dropLast()).lines.first == "[0]: added 200")
    let all = Difference(from: old, to: Data(old.map { ~$0 }))
    #expect(all.count == 1 && all.lines[0].hasPrefix("[0..<2000000]: 2000000 bytes 00 07 0e"), "\(all)")
    expectChange(Optional(old), nil, "2000000 bytes → nil")
  }
}
