import Millrace
import MillraceTesting
import Testing

// Component
actor Log: Component {
  private(set) var lines: [String] = []
  func update(_ count: Int) { lines.append("count is \(count)") }
}

// ViewComponent
@MainActor final class CountLabel: ViewComponent {
  var text = ""
  var props = 0 { didSet { text = "\(props)" } }
}

// StoreObserver
final class FenceLog: StoreObserver {
  func observe(_ event: StoreEvent) {
    if case .turnedAway(let action, .fenced, _) = event.kind { print("came too late: \(action)") }
  }
}

@Suite struct ComponentExamples {
  private let store = Store(initialState: Tally.State(), reduce: Tally.reduce)

  @Test("a log and a label get the present count, an observer is connected")
  @MainActor func connected() async {
    // LookingInside
    let log = Log()
    let label = CountLabel()
    store.connect(log, to: \.count)
    store.connect(label, to: \.count)
    store.dispatch(.incremented)
    await store.settled()
    #expect(await log.lines.last == "count is 1")
    #expect(label.text == "1")
    store.observe(FenceLog())
  }

  @Test("a recording component records what it gets, and can be held up")
  func recording() async throws {
    // RecordingComponent
    let component = RecordingComponent<Int>()
    store.connect(component, to: \.count)
    #expect(try await component.received.values(atLeast: 1) == [0])
    // RecordingComponent, with a gate
    let gate = Gate()
    let slow = RecordingComponent<Int>(holdingAt: gate)
    store.connect(slow, to: \.count)
    #expect(try await slow.received.values(atLeast: 1) == [0])
    #expect(slow.finished.values.isEmpty)
    gate.open()
  }

  @Test("activity is printed")
  func activity() async {
    // StoreActivity
    print(store.activity)
    // App: 12 reduced, 0 fenced, 0 refused, 0 waiting
    //   SearchEffect on \App.search at App/Main.swift:12
    //     running #3 "swift", started by action 12
    #expect("\(store.activity)" == "Tally.State: 0 reduced, 0 fenced, 0 refused, 0 waiting")
  }

  @Test("values and actions are iterated over until the store shuts down")
  func iterated() async {
    let store = store
    let values = Task {
      // StoreValues
      for await count in store.values(of: \.count) { print(count) }
    }
    let actions = Task {
      // StoreActions
      for await (action, state) in store.actions() { print(action, state.count) }
    }
    store.dispatch(.incremented)
    await store.shutdown()
    await values.value
    await actions.value
    #expect(store.state.count == 1)
  }
}
