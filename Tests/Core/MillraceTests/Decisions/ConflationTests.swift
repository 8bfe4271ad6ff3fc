import Testing

@testable import Millrace

/// The decisions of a display, without threads.
@Suite("Conflation")
struct ConflationTests {
  private final class Driver {
    private var conflation = Conflation()
    var isActive: Bool { conflation.isActive }
    func arrived(isGiven: Bool = false) -> Bool { conflation.arrived(isGiven: isGiven) }
    func taken() -> Bool { conflation.taken() }
    func updateEnded() -> Bool { conflation.updateEnded() }
    func connectionEnded() { conflation.connectionEnded() }
  }

  private let conflation = Driver()

  @Test("the first value is taken once") func one() {
    #expect(conflation.arrived())
    #expect(conflation.isActive)
    #expect(conflation.taken())
    #expect(conflation.isActive)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
    #expect(!conflation.arrived(isGiven: true))
    #expect(!conflation.isActive)
    #expect(!conflation.taken())
  }

  @Test("while an update is in progress a newer value waits until it has ended") func newest() {
    _ = conflation.arrived()
    _ = conflation.taken()
    #expect(!conflation.arrived())
    #expect(!conflation.arrived())
    #expect(conflation.updateEnded())
    #expect(conflation.taken())
  }

  @Test("a display is put in line once, however many values come before it is taken") func once() {
    #expect(conflation.arrived())
    #expect(!conflation.arrived())
    #expect(conflation.taken())
    #expect(!conflation.updateEnded())
  }

  @Test("a value that goes back to the one in progress leaves nothing to do") func backAgain() {
    _ = conflation.arrived()
    _ = conflation.taken()
    _ = conflation.arrived()
    _ = conflation.arrived(isGiven: true)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
  }

  @Test("a value that goes back before it is taken is not taken") func backInLine() {
    _ = conflation.arrived()
    _ = conflation.arrived(isGiven: true)
    #expect(!conflation.taken())
    #expect(!conflation.isActive)
  }

  @Test("after the connection has ended nothing is taken, and an update in progress is waited for")
  func ended() {
    _ = conflation.arrived()
    _ = conflation.taken()
    _ = conflation.arrived()
    conflation.connectionEnded()
    #expect(conflation.isActive)
    #expect(!conflation.updateEnded())
    #expect(!conflation.isActive)
    #expect(!conflation.arrived())
    #expect(!conflation.taken())
  }

  @Test("a connection that ends while it is in line leaves it") func endedInLine() {
    _ = conflation.arrived()
    conflation.connectionEnded()
    #expect(!conflation.isActive)
    #expect(!conflation.taken())
  }
}
