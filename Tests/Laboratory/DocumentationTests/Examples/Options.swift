import Millrace
import MillraceTesting
import Testing

@Suite struct OptionExamples {
  private struct MessageLog: Sendable {
    let messages = Recorder<String>()
    func error(_ message: String) { messages.append(message) }
  }

  private struct ClockEffect: EffectComponent {
    func requests(in state: Int) -> Set<Int> { [state] }
    func run(_ request: Int, send: Send<Int>) async {}
  }

  private struct SaveEffect: EffectComponent {
    func requests(in state: Int) -> Set<Int> { [state] }
    func run(_ request: Int, send: Send<Int>) async {}
  }

  @Test("connections end together, and mistakes are reported to a log")
  func bag() async {
    let log = MessageLog()
    // StoreDiagnostics
    let store = Store(
      initialState: 0, options: StoreOptions(diagnostics: StoreDiagnostics { log.error("\($0)") }),
      reduce: { (count: inout Int, step: Int) in count += step })
    // ConnectionBag
    let bag = ConnectionBag()
    store.connect(ClockEffect()).store(in: bag)
    store.connect(SaveEffect()).store(in: bag)
    bag.disconnect()
    await store.settled()
    #expect(store.activity.entries.isEmpty)
    #expect(log.messages.values.isEmpty)
  }
}
