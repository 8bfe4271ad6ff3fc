import Testing

@testable import Millrace

/// The decisions, without threads.
@Suite("Conflation")
struct ConflationTests {
  private final class Driver {
    private var conflation = Conflation<Int>()
    var isServing: Bool { conflation.isServing }
    func valueArrived(_ value: Int) -> Bool {
      withUnsafePointer(to: value) { conflation.valueArrived($0) }
    }
    func servingAdvanced() -> Int? { conflation.servingAdvanced()?.pointee }
    func connectionEnded() { conflation.connectionEnded() }
    deinit { conflation.destroy() }
  }

  private let conflation = Driver()

  @Test("the first value is given, and what equals it is not")
  func first() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(conflation.servingAdvanced() == nil)
    #expect(!conflation.valueArrived(1))
    #expect(!conflation.isServing)
  }

  @Test("while it is served, the newest value replaces the one that waits")
  func newest() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(!conflation.valueArrived(2))
    #expect(!conflation.valueArrived(3))
    #expect(conflation.servingAdvanced() == 3)
    #expect(conflation.servingAdvanced() == nil)
    #expect(conflation.valueArrived(1))
  }

  @Test("a value that goes back to the last one given is not given again")
  func backAgain() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(!conflation.valueArrived(2))
    #expect(!conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == nil)
  }

  @Test("after the connection has ended nothing is given")
  func ended() {
    #expect(conflation.valueArrived(1))
    conflation.connectionEnded()
    #expect(conflation.servingAdvanced() == nil)
    #expect(!conflation.isServing)
    #expect(!conflation.valueArrived(2))
    #expect(!conflation.isServing)
  }
}

@Suite("LoopTrail")
struct LoopTrailTests {
  private final class Driver {
    private var trail = LoopTrail()
    func runStarted(_ link: LoopTrail.Link) -> String? { trail.runStarted(link) }
  }

  private let trail = Driver()

  @Test("a chain is no loop until a connection comes up again, and then the cycle alone is told")
  func cycle() {
    #expect(trail.runStarted(.init(connection: 1, text: "start")) == nil)
    #expect(trail.runStarted(.init(connection: 2, text: "ping")) == nil)
    #expect(trail.runStarted(.init(connection: 3, text: "pong")) == nil)
    #expect(trail.runStarted(.init(connection: 2, text: "ping again")) == "pong → ping again")
  }

  @Test("an effect that answers itself is a cycle of one")
  func selfAnswer() {
    #expect(trail.runStarted(.init(connection: 1, text: "a")) == nil)
    #expect(trail.runStarted(.init(connection: 1, text: "b")) == "b")
  }
}
