import Foundation
import Millrace
import MillraceTesting
import TestSupport
import Testing

/// R2, and that no copy of the state lies on a stack.
@Suite("Reducing in place", .timeLimit(.minutes(10)))
struct InPlacePromises {
  struct Sheet: Equatable, Sendable {
    var rows = Array(repeating: 0, count: 1000)
    var title = ""
    var storage: [Int] = []  // where the rows lay at each action

    mutating func touch(_ row: Int) {
      rows[row] += 1
      storage.append(rows.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
    }
  }

  struct App: Equatable, Sendable {
    var sheet = Sheet()
    var count = 0
  }

  enum Action: Sendable {
    case touch(Int)
    case title(String)
    case count
  }

  static func reduce(_ app: inout App, _ action: Action) {
    switch action {
    case .touch(let row): app.sheet.touch(row)
    case .title(let title): app.sheet.title = title
    case .count: app.count += 1
    }
  }

  enum Watching: CaseIterable, Sendable { case nothing, otherParts, wholeState }

  @Test(
    "R2: changing one element of a large collection copies nothing, also while other parts or the whole are watched",
    arguments: Queue.allCases, Watching.allCases)
  func inPlace(queue: Queue, watching: Watching) async {
    struct Whole: EffectComponent {
      func requests(in app: App) -> Set<Int> { [app.count] }
      func run(_ count: Int, send: Send<InPlacePromises.Action>) async {}
    }
    let store = Store(initialState: App(), on: queue.queue, reduce: Self.reduce)
    switch watching {
    case .nothing: break
    case .otherParts:
      store.connect(RecordingComponent<String>(), to: \.sheet.title)
      store.connect(RecordingComponent<Int>(), props: { $0.count + $0.sheet.rows.count })
      store.connect(when: { Optional($0.count) }, run: { _, _ in })
    case .wholeState: store.connect(Whole())
    }
    await store.settled()
    for row in 0..<100 { await store.send(.touch(row)) }
    let sheet = store.state.sheet
    #expect(sheet.storage.count == 100)
    #expect(Set(sheet.storage).count == 1)
  }

  @Test(
    "R2: what keeps the collection for comparing costs one copy for each drained batch, not for each action",
    arguments: [true, false])
  func onePerBatch(beneathScope: Bool) async throws {
    let hold = Hold()
    // On a slow machine displays are served within the batch, which costs a copy more: here no time passes.
    var options = StoreOptions()
    let now = Moment.now
    options.seams.now = { now }
    let store = Store(initialState: App(), on: Hold.queue, options: options) {
      (app: inout App, action: Action) in
      if case .count = action { return hold.stay() }
      Self.reduce(&app, action)
    }
    if beneathScope {
      // The scope's slice holds the collection, and is compared to see whether anything beneath has changed.
      let scope = store.scope(\.sheet, action: { (action: Action) in action })
      scope.connect(RecordingComponent<String>(), to: \.title)
    } else {
      store.connect(RecordingComponent<[Int]>(), to: \.sheet.rows)
    }
    await store.settled()
    store.dispatch(.count)
    try await hold.isHeld()
    for row in 0..<100 { store.dispatch(.touch(row)) }
    await store.settled(lettingGo: hold)
    #expect(Set(store.state.sheet.storage).count == 1)
  }

  @Test("R2: a snapshot that is held keeps its value")
  func snapshot() async {
    let store = Store(initialState: App(), on: .immediate, reduce: Self.reduce)
    let before = store.state
    store.dispatch(.touch(0))
    #expect(before.sheet.rows[0] == 0)
    #expect(store.state.sheet.rows[0] == 1)
  }

  // MARK: Large states

  @Test("a state of 64 KiB goes through ten nested scopes on a thread with 512 KiB of stack")
  func largeState() async {
    let component = RecordingComponent<Int>()
    let initial = Large(ten())
    let store = await onThread(stackSize: 512 * 1024) {
      let store = initial.store()
      let five = store.within().within().within().within().within()
      let ten = five.within().within().within().within().within()
      ten.connect(component, to: \.a.a.a.a.a)
      ten.connect(when: { Optional($0.b.b.b.b.b) }, run: { _, _ in })
      for _ in 0..<10 { ten.dispatch(1) }
      ten.dispatchAndWait(1)
      if ten.state.a.a.a.a.a != 11 { Issue.record("the scope shows another state") }
      return store
    }
    await store.settled()
    #expect(MemoryLayout<Ten>.size == 64 * 1024)
    #expect(component.received.values.last == 11)
  }
}

/// Made on a thread with more stack, since the building of a large value takes several of it unoptimised.
private final class Large: Sendable {
  private let state: Ten

  init(_ state: Ten) { self.state = state }

  func store() -> Store<Ten, Int> {
    Store(initialState: state, on: .immediate) { (state: inout Ten, step: Int) in
      state.inner.inner.inner.inner.inner.inner.inner.inner.inner.inner.a.a.a.a.a += step
    }
  }
}

/// Eight of something, by value.
private struct Eight<Value: Equatable & Sendable>: Equatable, Sendable {
  var a, b, c, d, e, f, g, h: Value
  init(_ value: Value) { (a, b, c, d, e, f, g, h) = (value, value, value, value, value, value, value, value) }
}

private struct Pair: Equatable, Sendable {
  var a = 0
  var b = 0
}

private typealias Block = Eight<Eight<Eight<Eight<Pair>>>>

/// A part of a state, which is all of it.
private struct Wrap<Value: Equatable & Sendable>: Equatable, Sendable {
  var inner: Value
}

private typealias Five<Value: Equatable & Sendable> = Wrap<Wrap<Wrap<Wrap<Wrap<Value>>>>>
private typealias Ten = Five<Five<Block>>

private func ten() -> Ten {
  let block = Block(Eight(Eight(Eight(Pair()))))
  let five = Wrap(inner: Wrap(inner: Wrap(inner: Wrap(inner: Wrap(inner: block)))))
  return Wrap(inner: Wrap(inner: Wrap(inner: Wrap(inner: Wrap(inner: five)))))
}

extension Store where Action == Int {
  fileprivate func within<Inner: Equatable & Sendable>() -> Store<Inner, Int> where State == Wrap<Inner> {
    scope(\.inner)
  }
}
