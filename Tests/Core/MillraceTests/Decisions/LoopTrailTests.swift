import Testing

@testable import Millrace

@Suite("LoopTrail")
struct LoopTrailTests {
  private final class Driver {
    private var trail = LoopTrail()
    func runStarted(_ connection: UInt64, _ request: String) -> [String]? {
      let link = LoopTrail.Link(
        connection: connection, action: 0, slice: "slice", name: "effect", request: request)
      return trail.runStarted(link).map { cycle in cycle.map { "\($0.request)" } }
    }
  }

  private let trail = Driver()

  @Test("a chain is no loop until a connection comes up again, and then the cycle alone is told")
  func cycle() {
    #expect(trail.runStarted(1, "start") == nil)
    #expect(trail.runStarted(2, "ping") == nil)
    #expect(trail.runStarted(3, "pong") == nil)
    #expect(trail.runStarted(2, "ping again") == ["pong", "ping again"])
  }

  @Test("an effect that answers itself is a cycle of one")
  func selfAnswer() {
    #expect(trail.runStarted(1, "a") == nil)
    #expect(trail.runStarted(1, "b") == ["b"])
  }
}
