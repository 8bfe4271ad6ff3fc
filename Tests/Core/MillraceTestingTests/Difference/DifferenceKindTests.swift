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
    #expect(Difference(from: Phase.loading(1), to: .loading(2)).lines == ["loading: 1 → 2"])
    #expect(
      Difference(from: Phase.loaded(page: 1, of: 2), to: .loaded(page: 1, of: 3)).lines == [
        "loaded.of: 2 → 3"
      ])
    #expect(
      Difference(from: Phase.failed(message: "a"), to: .failed(message: "b")).lines == [
        #"failed.message: "a" → "b""#
      ])
  }

  @Test("a change of the case shows both cases") func otherCase() {
    #expect(Difference(from: Phase.idle, to: .waiting).lines == [".idle → .waiting"])
    #expect(Difference(from: Phase.idle, to: .loading(2)).lines == [".idle → .loading(2)"])
    #expect(
      Difference(from: ["p": Phase.loaded(page: 1, of: 2)], to: ["p": .failed(message: "b")]).lines
        == [#"["p"]: .loaded(page: 1, of: 2) → .failed(message: "b")"#])
  }

  @Test("a NaN does not differ from a NaN") func numbers() {
    struct Reading: Equatable { var value: Double, unit = "m" }
    #expect(Difference(from: Reading(value: .nan), to: Reading(value: .nan)).isEmpty)
    #expect(Difference(from: [Float.nan], to: [.nan]).isEmpty)
    #expect(Difference(from: Reading(value: .nan), to: Reading(value: 1)).lines == ["value: nan → 1.0"])
    #expect(
      Difference(from: Reading(value: .nan), to: Reading(value: .nan, unit: "km")).lines == [
        #"unit: "m" → "km""#
      ])
    #expect(Difference(from: 0.0, to: -0.0).isEmpty)
  }

  @Test("what == tells apart and reflection does not, is said") func hidden() {
    #expect(
      Difference(from: [1: Secret()], to: [1: Secret(hidden: 1)]).lines
        == ["[1]: unequal by ==, in something that reflection does not show: Secret(shown: 1)"])
    #expect(Difference(from: Secret(), to: Secret(shown: 2)).lines == ["shown: 1 → 2"])
  }

  @Test("objects are compared like values, with their superclasses") func objects() {
    let (old, new) = (Leaf("a"), Leaf("b"))
    new.weight = 2
    #expect(Difference(from: old, to: new).lines == ["weight: 1 → 2", #"name: "a" → "b""#])
    #expect(Difference(from: old, to: old).isEmpty)
    #expect(Difference(from: Node("a"), to: Node("a")).isEmpty)
  }

  @Test("objects that refer to each other are compared once") func cycles() {
    func ring(_ name: String) -> Node {
      let (first, second) = (Node("a"), Node(name))
      (first.next, second.next) = (second, first)
      return first
    }
    let (old, new) = (ring("b"), ring("c"))
    #expect(Difference(from: old, to: new).lines == [#"next?.name: "b" → "c""#])
    for node in [old, new] { node.next?.next = nil }
  }

  @Test("two instances with nothing to compare differ") func opaque() {
    let object = Opaque()
    #expect(Difference(from: object, to: object).isEmpty)
    #expect(
      Difference(from: Opaque(), to: Opaque()).lines
        == ["another instance of Opaque, of which reflection shows nothing"])
  }

  @Test("values of different types that read alike show their types") func types() {
    #expect(Difference(from: 1 as Any, to: 1.0 as Any).lines == ["1 → 1.0"])
    #expect(Difference(from: 1 as Any, to: UInt8(1) as Any).lines == ["1 (Int) → 1 (UInt8)"])
    #expect(Difference(from: [1 as any Hashable], to: ["a"]).lines == [#"[0]: 1 → "a""#])
  }

  @Test("functions do not differ") func functions() {
    struct Button {
      var title: String
      var press: () -> Void
    }
    #expect(
      Difference(from: Button(title: "a") {}, to: Button(title: "b") { print() }).lines == [
        #"title: "a" → "b""#
      ])
  }

  @Test("what describes itself in a few words is shown by them") func described() throws {
    struct Money: Equatable, CustomStringConvertible {
      var cents: Int
      var description: String { "€\(cents / 100)" }
    }
    #expect(Difference(from: Money(cents: 100), to: Money(cents: 200)).lines == ["€1 → €2"])
    #expect(Difference(from: Money(cents: 100), to: Money(cents: 101)).lines == ["cents: 100 → 101"])
    #expect(Difference(from: Duration.seconds(1), to: .seconds(2)).lines == ["1.0 seconds → 2.0 seconds"])
    let (old, new) = (
      try #require(URL(string: "https://swift.org/a")), try #require(URL(string: "https://swift.org/b"))
    )
    #expect(Difference(from: old, to: new).lines == ["https://swift.org/a → https://swift.org/b"])
    #expect(
      Difference(from: Date(timeIntervalSince1970: 0), to: Date(timeIntervalSince1970: 1)).lines
        == ["1970-01-01 00:00:00 +0000 → 1970-01-01 00:00:01 +0000"])
    #expect(Difference(from: 0..<3, to: 0..<4).lines == ["Range(0..<3) → Range(0..<4)"])
    #expect(Difference(from: UInt8(0)..<3, to: 0..<4).lines == ["Range(0..<3) → Range(0..<4)"])
  }

  @Test("dates and durations are shown to the digit that differs") func precise() {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    #expect(
      Difference(from: date(0.1234), to: date(0.1239)).lines
        == ["2001-01-01 00:00:00.1234 +0000 → 2001-01-01 00:00:00.1239 +0000"])
    #expect(
      Difference(from: date(1), to: date(1.05)).lines
        == ["2001-01-01 00:00:01.00 +0000 → 2001-01-01 00:00:01.05 +0000"])
    #expect(
      Difference(from: date(-0.75), to: date(-0.5)).lines
        == ["2000-12-31 23:59:59.2 +0000 → 2000-12-31 23:59:59.5 +0000"])
    #expect(
      Difference(from: date(1e-12), to: date(2e-12)).lines
        == ["1e-12 seconds since 2001 → 2e-12 seconds since 2001"])
    #expect(
      Difference(from: Duration.seconds(1), to: .seconds(1) + .nanoseconds(1)).lines
        == ["1.0 seconds → 1.000000001 seconds"])
    let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(
      Difference(from: Duration.seconds(-1), to: .seconds(-1) - least).lines
        == ["-1.0 seconds → -1.000000000000000001 seconds"])
  }

  @Test("data is compared byte by byte, and shown by the places that differ") func data() {
    #expect(Difference(from: Data([1, 2, 3]), to: Data([1, 5, 3])).lines == ["[1]: 2 → 5"])
    #expect(Difference(from: Data([1]), to: Data([1, 5])).lines == ["[1]: added 5"])
    #expect(
      Difference(from: Data([1, 2, 3, 4]), to: Data([1, 8, 9, 4, 5, 6])).lines
        == ["[1..<3]: 2 bytes 02 03 → 2 bytes 08 09", "[4..<6]: added 2 bytes 05 06"])
    #expect(
      Difference(expected: [1, 2, 3] as [UInt8], actual: [3]).lines == ["[0..<2]: missing 2 bytes 01 02"])
    #expect(Difference(from: [1, 2] as [UInt8], to: [1, 2]).isEmpty)
    #expect(Difference(from: Data([1, 2, 3])[1...], to: Data([2, 4])).lines == ["[1]: 3 → 4"])
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
    #expect(
      Difference(from: Optional(old), to: nil).lines == ["2000000 bytes → nil"])
  }
}
