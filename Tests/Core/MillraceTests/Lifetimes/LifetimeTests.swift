import Millrace
import MillraceTesting
import TestSupport
import Testing

private struct App: Equatable, Sendable {
  struct Detail: Equatable, Sendable, Identifiable {
    var id: Int
    var query: String?
    var inner: Inner?
  }
  struct Inner: Equatable, Sendable { var value = 0 }
  var isOn = false
  var detail: Detail?
  var log: [String] = []
}

private enum AppAction: Sendable {
  case open(Int)
  case close
  case reopen(Int)
  case ask(String?)
  case openInner
  case answered(String)
  case detail(String)
  case toggle
}

@Sendable private func reduce(_ state: inout App, _ action: AppAction) {
  switch action {
  case .open(let id): state.detail = App.Detail(id: id)
  case .close: state.detail = nil
  case .reopen(let id):
    state.detail = nil
    state.detail = App.Detail(id: id)
  case .ask(let query): state.detail?.query = query
  case .openInner: state.detail?.inner = App.Inner()
  case .answered(let answer): state.log.append(answer)
  case .detail(let text): state.log.append("detail \(text)")
  case .toggle: state.isOn.toggle()
  }
}

/// Counts lifetimes.
private final class Tally: @unchecked Sendable {  // used on the reducer queue, here the test's own stack
  var begun: [Int] = []
  var stores: [Store<App.Detail, String>] = []
}

@Suite("Lifetimes by state", .timeLimit(.minutes(10)))
struct LifetimeTests {
  private let store = Store(initialState: App(), on: .immediate, reduce: reduce)
  private let tally = Tally()

  @Test("what is connected to an optional slice lives while it is present, in the same turn")
  func presence() async {
    store.connectIfPresent(\.detail, action: AppAction.detail) { [tally] detail in
      tally.begun.append(detail.state.id)
      tally.stores.append(detail)
      detail.connect(when: \.query) { query, send in await send(query) }
    }
    #expect(tally.begun == [])
    store.dispatch(.open(1))
    #expect(tally.begun == [1])
    store.dispatch(.ask("a"))
    await store.settled()
    #expect(store.state.log == ["detail a"])
    store.dispatch(.close)
    await store.settled()
    #expect(store.activity.entries.count == 1)
    // A scope of what has gone keeps its last state, and what it sends is fenced.
    #expect(tally.stores[0].state.query == "a")
    #expect(await tally.stores[0].send("late") == .fenced)
    store.dispatch(.open(1))
    #expect(tally.begun == [1, 1])
    #expect(await tally.stores[0].send("late") == .fenced)
    #expect(tally.stores[0].state.query == "a")
    #expect(await tally.stores[1].send("in time") == .reduced)
  }

  @Test("a value with another id begins a new lifetime, one with the same id does not") func identity() {
    store.connectIfPresent(\.detail, action: AppAction.detail) { [tally] detail in
      tally.begun.append(detail.state.id)
    }
    for action in [AppAction.open(1), .open(1), .ask("x"), .open(2)] { store.dispatch(action) }
    #expect(tally.begun == [1, 2])
  }

  @Test("a run of what has gone is stopped and fenced, also when the slice has come back")
  func fence() async {
    let (sends, send) = AsyncStream.makeStream(of: Send<String>.self)
    store.connectIfPresent(\.detail, action: AppAction.detail) { detail in
      detail.connect(when: \.query) { _, sender in
        send.yield(sender)
        for await _ in AsyncStream<Never>.makeStream().stream {}  // until it is cancelled
      }
    }
    store.dispatch(.open(1))
    store.dispatch(.ask("a"))
    var iterator = sends.makeAsyncIterator()
    let first = await iterator.next()
    store.dispatch(.close)
    store.dispatch(.open(1))
    #expect(await first?("late") == .fenced)
    #expect(store.state.log == [])
    store.dispatch(.ask("a"))
    let second = await iterator.next()
    #expect(await second?("in time") == .reduced)
    await store.shutdown()
  }

  @Test("lifetimes nest to any depth and end together") func nesting() async {
    store.connectIfPresent(\.detail, action: AppAction.detail) { detail in
      detail.connectIfPresent(\.inner, action: { (text: String) in text }) { inner in
        inner.connect(when: { Optional("\($0.value)") }) { _, _ in }
      }
    }
    store.dispatch(.open(1))
    #expect(store.activity.entries.count == 2)
    store.dispatch(.openInner)
    #expect(store.activity.entries.count == 3)
    store.dispatch(.close)
    await store.settled()  // bodies that were stopped are listed until they return
    #expect(store.activity.entries.count == 1)
  }

  @Test("a predicate begins and ends what is connected while it holds") func predicate() async {
    let connection = store.connect(while: \.isOn) { store in
      store.connect(when: { $0.isOn ? "on" : nil }) { text, send in await send(.answered(text)) }
    }
    store.dispatch(.toggle)
    await store.settled()
    #expect(store.state.log == ["on"])
    store.dispatch(.toggle)
    await store.settled()
    #expect(store.activity.entries.count == 1)
    store.dispatch(.toggle)
    await store.settled()
    #expect(store.state.log == ["on", "on"])
    connection.disconnect()
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("C1: a component that a predicate holds beside an effect gets every change of the whole")
  func predicateHoldsBoth() async {
    let store = CornerStore(Corner(isOpen: true), on: .immediate)
    let component = RecordingComponent<Int>()
    store.connect(while: \.isOpen) { store in
      store.connect(when: { $0.x > 100 ? $0.x : nil }, run: { _, _ in })
      store.connect(component, props: \.x)
    }
    for x in 1...3 {
      await store.settled()
      store.change { $0.x = x }
    }
    await store.settled()
    #expect(component.finished.values == [0, 1, 2, 3])
  }

  @Test("an action that ends a part and makes it again is one turn for a lifetime") func reopened() {
    store.connectIfPresent(\.detail, action: AppAction.detail) { [tally] detail in
      tally.begun.append(detail.state.id)
    }
    store.dispatch(.open(1))
    store.dispatch(.reopen(1))
    #expect(tally.begun == [1])
  }

  @Test("components and views of a part are served while it lives") func displays() async {
    actor Log: Component {
      var all: [String?] = []
      func update(_ query: String?) { all.append(query) }
    }
    let log = Log()
    store.connectIfPresent(\.detail, action: AppAction.detail) { $0.connect(log, to: \.query) }
    store.dispatch(.open(1))
    await store.settled()
    store.dispatch(.ask("a"))
    await store.settled()
    store.dispatch(.close)
    store.dispatch(.open(2))
    await store.settled()
    #expect(await log.all == [nil, "a", nil])
  }
}
