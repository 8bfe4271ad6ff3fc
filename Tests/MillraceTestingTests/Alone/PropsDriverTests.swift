import Millrace
import MillraceTesting
import Testing

@MainActor private final class Label: ViewComponent {
  private(set) var texts: [String] = []
  var props = 0 { didSet { texts.append("\(props)") } }
}

@Suite("A component alone") struct PropsDriverTests {
  @Test("a component gets the first props, and then those that differ")
  func component() async {
    let component = RecordingComponent<Int>()
    let driver = PropsDriver(component, 0)
    await driver.settle()
    for props in [1, 1, 2] {
      driver.set(props)
      await driver.settle()
    }
    #expect(component.finished.values == [0, 1, 2])
    #expect(driver.props == 2)
  }

  @Test("of the props that come during an update the component gets the newest")
  func conflated() async {
    let gate = Gate()
    let component = RecordingComponent<Int>(holdingAt: gate)
    let driver = PropsDriver(component, 0)
    await driver.settle()
    for props in 1...3 { driver.set(props) }
    await driver.settle()
    #expect(component.received.values == [0])
    gate.open()
    await driver.settle()
    #expect(component.finished.values == [0, 3])
  }

  @Test("after the connection has ended nothing is delivered")
  func disconnected() async {
    let component = RecordingComponent<Int>()
    let driver = PropsDriver(component, 0)
    await driver.settle()
    driver.disconnect()
    driver.set(1)
    await driver.settle()
    #expect(component.received.values == [0])
  }

  @Test("a view shows each of the props") @MainActor
  func view() async {
    let label = Label()
    let driver = PropsDriver(label, 1)
    await driver.settle()
    driver.set(2)
    await driver.settle()
    #expect(label.texts == ["1", "2"])
  }
}
