import Testing

@testable import Millrace

/// The decisions of a display, without threads.
@Suite("Conflation")
struct ConflationTests {
  private final class Value {}

  private final class Driver {
    private var conflation = Conflation()
    private(set) var replaced: [AnyObject] = []
    var isActive: Bool { conflation.isActive }
    func arrived(_ value: Value) -> Bool { conflation.arrived(value, replaced: &replaced) }
    func taken() -> (box: AnyObject, last: AnyObject?)? { conflation.taken() }
    func updateEnded() -> Bool { conflation.updateEnded() }
    func connectionEnded() -> [AnyObject] { conflation.connectionEnded() }
  }

  private let conflation = Driver()
  private let first = Value()
  private let second = Value()
  private let third = Value()

  @Test("the first value is taken once, with none before it") func one() {
    #expect(conflation.arrived(first))
    let taken = conflation.taken()
    #expect(taken?.box === first && taken?.last == nil)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
    #expect(!conflation.arrived(first))
    #expect(conflation.taken() == nil)
  }

  @Test("while an update is in progress the newest value waits, and it alone") func newest() {
    _ = conflation.arrived(first)
    _ = conflation.taken()
    #expect(!conflation.arrived(second))
    #expect(!conflation.arrived(third))
    #expect(conflation.replaced.count == 1 && conflation.replaced[0] === second)
    #expect(conflation.updateEnded())
    let taken = conflation.taken()
    #expect(taken?.box === third && taken?.last === first)
  }

  @Test("it is put in line once, however many values come before it is taken") func once() {
    #expect(conflation.arrived(first))
    #expect(!conflation.arrived(second))
    #expect(conflation.taken()?.box === second)
  }

  @Test("a value that goes back to the one in progress leaves nothing to do") func backAgain() {
    _ = conflation.arrived(first)
    _ = conflation.taken()
    _ = conflation.arrived(second)
    _ = conflation.arrived(first)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
  }

  @Test("after the connection has ended nothing is taken, and what it held is given back") func ended() {
    _ = conflation.arrived(first)
    _ = conflation.taken()
    _ = conflation.arrived(second)
    let held = conflation.connectionEnded()
    #expect(held.contains { $0 === first } && held.contains { $0 === second })
    #expect(conflation.isActive)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
    #expect(!conflation.arrived(third))
    #expect(conflation.taken() == nil)
  }
}
