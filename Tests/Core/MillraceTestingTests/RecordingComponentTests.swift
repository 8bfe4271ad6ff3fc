import Millrace
import MillraceTesting
import Testing

@Suite struct RecordingComponentTests {
  @Test("a component records the props that it gets")
  func records() async {
    let component = RecordingComponent<Int>()
    let connected: any Component<Int> = component
    await connected.update(1)
    await connected.update(2)
    #expect(component.received.values == [1, 2])
    #expect(component.finished.values == [1, 2])
  }

  @Test("an update is held up at the gate after it has recorded its props, cancelled or not")
  func heldUp() async throws {
    let gate = Gate()
    let component = RecordingComponent<Int>(holdingAt: gate)
    let update = Task { await component.update(1) }
    try await gate.waiters(atLeast: 1)
    update.cancel()
    #expect(gate.waiterCount == 1)
    #expect(component.received.values == [1])
    #expect(component.finished.values == [])
    gate.pass()
    await update.value
    #expect(component.finished.values == [1])
  }
}
