import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Whoever shows a part of the state gets its last value before a shutdown ends it, wherever it is connected.
@Suite("The last props at a shutdown", .timeLimit(.minutes(10)))
struct LastPropsTests {
  /// A component whose update with 1 waits at the gate when the state shows 2.
  private func behind(_ gate: Gate, at place: Place, of store: CornerStore, isLongRunning: Bool = false)
    async throws -> RecordingComponent<Int>
  {
    let component = RecordingComponent<Int>(holdingAt: gate)
    store.connect(at: place) { $0.connect(component, longRunning: isLongRunning) }
    try await gate.waiters(atLeast: 1)
    await store.send(.show(2))
    return component
  }

  /// Shuts a scope or the store down, and opens the gate when that waits.
  private func shutDown(_ scope: CornerStore, of store: CornerStore, opening gate: Gate) async throws {
    let down = Task { await scope.shutdown() }
    try await store.isAwaited()
    gate.open()
    try await inTime { #expect(await down.value.isClean) }
  }

  @Test(
    "L3: an update in progress is followed by one with the last props, of a long-running component, too",
    arguments: Place.allCases, [false, true])
  func component(place: Place, isLongRunning: Bool) async throws {
    for queue in Queue.allCases {
      let gate = Gate()
      let store = CornerStore(showing: 1, on: queue)
      let component = try await behind(gate, at: place, of: store, isLongRunning: isLongRunning)
      try await shutDown(store, of: store, opening: gate)
      #expect(component.finished.values == [1, 2])
      #expect(store.activity.entries.isEmpty)
    }
  }

  @Test("L3: a body beside it that does not return keeps no props from it", arguments: Place.allCases)
  func besideDeaf(place: Place) async throws {
    let (clock, gate, deaf) = (TestClock(), Gate(), Gate())
    let store = CornerStore(showing: 1, on: .serial)
    store.connect(at: place) {
      $0.connect(NumberEffect { _, _ in await deaf.waitIgnoringCancellation() }, named: "deaf")
    }
    try await deaf.waiters(atLeast: 1)
    let component = try await behind(gate, at: place, of: store)
    let down = Task { await store.shutdown(hard: .seconds(5), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(try await component.finished.values(atLeast: 2) == [1, 2])
    // The update is recorded just before it ends.
    try await eventually { Set(store.activity.busy.map(\.connection.name)) == ["deaf"] }
    clock.advance(by: .seconds(5))
    let report = await down.value
    #expect(Set(report.unfinished.map(\.connection.name)) == ["deaf"])
    deaf.open()
    #expect(await store.shutdown().isClean)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("L3: beneath a scope that ends, while the store goes on", arguments: Place.allCases, Queue.allCases)
  func scope(place: Place, queue: Queue) async throws {
    let gate = Gate()
    let store = CornerStore(showing: 1, on: queue)
    let scope = store.scope(\.self)
    let component = try await behind(gate, at: place, of: scope)
    try await shutDown(scope, of: store, opening: gate)
    #expect(component.finished.values == [1, 2])
    await store.send(.show(3))
    await store.settled()
    #expect(component.finished.values == [1, 2])
  }

  @Test("L3: finished() of a lifetime's connection waits for it", arguments: Place.allCases.dropFirst())
  func finished(place: Place) async throws {
    let gate = Gate()
    let store = CornerStore(showing: 1, on: .serial)
    let component = RecordingComponent<Int>(holdingAt: gate)
    let connection = store.connect(at: place) { $0.connect(component) }
    try await gate.waiters(atLeast: 1)
    await store.send(.show(2))
    let finished = Task {
      await connection?.finished()
      return component.finished.values
    }
    let down = Task { await store.shutdown() }
    try await store.isAwaited(by: 2)
    gate.open()
    try await inTime { #expect(await finished.value == [1, 2]) }
    _ = await down.value
  }

  @Test(
    "L3: finished() waits for no body elsewhere, neither outside of work nor inside an update or a run",
    arguments: Place.allCases)
  func finishedBesideDeaf(place: Place) async throws {
    let deaf = Gate()
    let store = CornerStore(showing: 1, on: .serial)
    let (connection, finished) = (Late<Connection>(), Recorder<String>())
    let lifetime = store.connect(at: place) { connection.value = $0.connect(RecordingComponent<Int>()) }
    await store.settled()
    let all = [connection.value, lifetime].compactMap(\.self)
    let awaitAll: @Sendable (String) async -> Void = { who in
      for connection in all { await connection.finished() }
      finished.append(who)
    }
    store.connect(NumberEffect { _, _ in await deaf.waitIgnoringCancellation() }, to: \.x)
    store.connect(NumberEffect { _, _ in await awaitAll("run") }, to: \.x)
    store.connect(ClosureComponent<Int> { _ in await awaitAll("update") }, to: \.x)
    store.connect(at: place) { $0.connect(ClosureComponent<Int> { _ in await awaitAll("update within") }) }
    try await store.isAwaited(by: 3)
    let outside = Task { await awaitAll("outside") }
    try await store.isAwaited(by: 4)
    let down = Task { await store.shutdown() }
    #expect(
      Set(try await finished.values(atLeast: 4)) == ["run", "update", "update within", "outside"])
    deaf.open()
    try await inTime { #expect(await down.value.isClean) }
    await outside.value
  }

  @Test("L3: a scope gives the last props though the drain has not come to serve them", .blocksThreads)
  func unserved() async throws {
    let held = try await HeldDrain()
    let scope = held.store.scope(\.x)
    let component = RecordingComponent<Int>()
    scope.connect(component, to: \.self)
    await held.store.settled()
    try await held.change { letGo in
      #expect(await scope.shutdown(graceful: .zero).isClean)
      #expect(component.finished.values == [0, 1])
      #expect(held.store.state.log.isEmpty)
      letGo()
    }
  }

  @Test("L3: a scope ends though its slice goes on changing", .blocksThreads, arguments: Queue.allCases)
  func flood(queue: Queue) async throws {
    let store = CornerStore(showing: 1, on: queue)
    let scope = store.scope(\.self)
    // Whoever updates makes the next change.
    let component = ClosureComponent<Int> { number in
      await Task.yield()  // an immediate store answers at once: who shuts down needs a thread
      await store.send(.show(number + 1))
    }
    scope.connect(at: .nested) { $0.connect(component) }
    scope.connect(at: .store) { $0.connect(component) }
    try await inTime { #expect(await scope.shutdown().isClean) }
  }

  @Test("L3: a part that ends while a shutdown waits gets nothing more", arguments: [Place.part, .nested])
  func ended(place: Place) async throws {
    let gate = Gate()
    let store = CornerStore(showing: 1, on: .serial)
    let scope = store.scope(\.self)
    let component = try await behind(gate, at: place, of: scope)
    let down = Task { await scope.shutdown() }
    try await store.isAwaited()
    await store.send(Change { $0.part = nil })
    gate.open()
    try await inTime { #expect(await down.value.isClean) }
    #expect(component.finished.values == [1])
  }

  @Test(
    "L3: what was connected and sent before a shutdown has its turn: a part begins, and no run of it",
    arguments: Place.allCases, [false, true])
  func accepted(place: Place, isLast: Bool) async throws {
    let (hold, began) = (Hold(), Recorder<Int>())
    let store = CornerStore(initialState: Corner(), on: Hold.queue) { $1.apply(&$0) }
    store.dispatch(Change { _ in hold.stay() })
    try await hold.isHeld()
    let component = RecordingComponent<Int>()
    store.connect(at: place) {
      $0.connect(NumberEffect { number, _ in began.append(number) })
      $0.connect(component)
    }
    let begin = Change { ($0.isOpen, $0.part, $0.rows) = (true, Piece(id: 1), Corner.rows(0..<3)) }
    if isLast {
      store.dispatch(
        Change { corner in
          begin.apply(&corner)
          Change.show(7).apply(&corner)
        })
    } else {
      store.dispatch(begin)
      store.dispatch(.show(7))
    }
    // As if the shutdown had begun between two turns.
    store.closeAfterMailbox()
    hold.letGo()
    try await inTime { #expect(await store.shutdown().isClean) }
    #expect(component.finished.values.last == 7)
    #expect(began.values == [])
  }

  @Test("L3: in the graceful time no part begins", arguments: Queue.allCases)
  func noneBegins(queue: Queue) async throws {
    let (clock, gate, begun) = (TestClock(), Gate(), Recorder<Int>())
    let store = CornerStore(Corner(x: 1), on: queue)
    store.connectPart { _ in begun.append(1) }
    store.connectRows { _, _ in begun.append(2) }
    store.connect(while: \.isOpen) { _ in begun.append(3) }
    store.connect(
      NumberEffect { _, send in
        await gate.waitIgnoringCancellation()
        await send(Change { ($0.part, $0.isOpen, $0.rows) = (Piece(id: 1), true, Corner.rows(0..<3)) })
      }, to: \.x)
    try await gate.waiters(atLeast: 1)
    let down = Task { await store.shutdown(graceful: .seconds(5), clock: clock) }
    try await clock.sleepers(atLeast: 1)
    gate.open()
    #expect(await down.value.isClean)
    #expect(store.state.isOpen)
    #expect(begun.values == [])
  }

  @Test(
    "L3: sequences have the last value, also where no time is given", arguments: Place.allCases,
    Queue.allCases)
  func sequences(place: Place, queue: Queue) async throws {
    let store = CornerStore(showing: 1, on: queue)
    let (values, actions) = (Late<StoreValues<Int>>(), Late<StoreActions<Int, Change>>())
    store.connect(at: place) {
      values.value = $0.values(of: \.self)
      actions.value = $0.actions()
      $0.dispatch(.show(2))
    }
    await store.settled()
    for number in 3...7 { store.dispatch(.show(number)) }
    await store.shutdown(hard: .zero)
    var last: Int?
    if let values = values.value { for await value in values { last = value } }
    #expect(last == 7)
    var recorded: [Int] = []
    if let actions = actions.value { for await (_, state) in actions { recorded.append(state) } }
    #expect(recorded == [2])
  }

  @Test("L3: an update that reads states and actions holds up no shutdown", arguments: Place.allCases)
  func waiting(place: Place) async throws {
    let store = CornerStore(showing: 1, on: .serial)
    let (waits, found) = (Gate(), Recorder<Int?>())
    store.connect(at: place) { number in
      number.connect(
        ClosureComponent<Int> { _ in
          let actions = number.actions()
          waits.open()
          found.append(await number.first { $0 == 100 })
          for await _ in number.values(of: \.self) {}
          for await _ in actions {}
        })
    }
    await waits.waitIgnoringCancellation()
    try await inTime { #expect(await store.shutdown().isClean) }
    #expect(found.values == [nil])
  }

  @MainActor @Suite("of views") struct Views {
    @Test("L3: views and models show the last value", arguments: Place.allCases)
    func views(place: Place) async throws {
      for round in 0..<50 {
        let store = CornerStore(showing: 0, on: round.isMultiple(of: 2) ? .serial : .immediate)
        let view = RecordingView()
        let scope = Late<Store<Int, Change>>()
        store.connect(at: place) {
          scope.value = $0
          $0.connect(view)
        }
        await store.settled()
        let model = try ObservedSlice(#require(scope.value))
        store.dispatch(.show(7))
        #expect(await store.shutdown().isClean)
        #expect(view.received == [0, 7])
        #expect(model.value == 7)
      }
    }
  }
}
