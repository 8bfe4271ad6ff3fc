import Millrace
import MillraceTesting
import Testing

@MainActor private final class Label: ViewComponent {
  private(set) var texts: [String] = []
  var props = 0 { didSet { texts.append("\(props)") } }
}

@Suite("A component alone") struct ComponentHarnessTests {
  @Test("a component gets the first props, and then those that differ")
  func component() async {
    let component = RecordingComponent<Int>()
    let harness = ComponentHarness(component, 0)
    await harness.settle()
    for props in [1, 1, 2] {
      harness.set(props)
      await harness.settle()
    }
    #expect(component.finished.values == [0, 1, 2])
    #expect(harness.props == 2)
  }

  @Test("of the props that come during an update the component gets the newest")
  func conflated() async {
    let gate = Gate()
    let component = RecordingComponent<Int>(holdingAt: gate)
    let harness = ComponentHarness(component, 0)
    await harness.settle()
    for props in 1...3 { harness.set(props) }
    await harness.settle()
    #expect(component.received.values == [0])
    gate.open()
    await harness.settle()
    #expect(component.finished.values == [0, 3])
  }

  @Test("after the connection has ended nothing is delivered")
  func disconnected() async {
    let component = RecordingComponent<Int>()
    let harness = ComponentHarness(component, 0)
    await harness.settle()
    harness.disconnect()
    harness.set(1)
    await harness.settle()
    #expect(component.received.values == [0])
  }

  @Test("a view shows each of the props") @MainActor
  func view() async {
    let label = Label()
    let harness = ComponentHarness(label, 1)
    await harness.settle()
    harness.set(2)
    await harness.settle()
    #expect(label.texts == ["1", "2"])
  }
}
