import Millrace
import MillraceTesting
import TestSupport

/// One random sequence: what it does follows from its seed, in which order things happen does not.
final class Scenario: Sendable {
  private let seed: UInt64
  private let isImmediate: Bool
  private let store: LedgerStore
  private let bodies = Bodies()
  private let fates = Fates()
  private let dispatched = Lock(0)

  init(seed: UInt64) {
    self.seed = seed
    isImmediate = seed.isMultiple(of: 2)
    store = LedgerStore(isImmediate: isImmediate)
  }

  /// - Returns: what does not hold.
  func play() async -> [String] {
    let actions = store.actions()
    let component = RecordingComponent<Int>()
    // Long-running, so that a run that waits to be stopped does not keep the store from settling.
    store.connect(effect(of: 0), to: \.jobs, named: "lasting", longRunning: true)
    store.connect(component, to: \.count)
    await withTaskGroup { group in
      for actor in 0..<3 { group.addTask { await self.act(actor) } }
    }
    await comeToRest()
    let final = store.state
    let activity = store.activity
    let report = await store.shutdown()

    var model = Model()
    for await (action, state) in actions { model.check(action, state) }
    model.checkEnd(final, activity)
    model.checkBodies(bodies.began(0), final.jobs)
    model.checkProps(component.received.values, final.count)
    if !report.isClean { model.fail("left: \(report)") }
    if bodies.mostAlive > 1 { model.fail("bodies of one identity have overlapped") }
    if final.stale > 0 { model.fail("\(final.stale) stale answers") }
    let sent = dispatched.withLock { $0 } + fates.total
    let accounts = store.activity
    if Int(accounts.reduced + accounts.fenced + accounts.refused) != sent {
      model.fail("\(sent) sent, but \(accounts)")
    }
    if Int(accounts.reduced) != dispatched.withLock({ $0 }) + fates.count(.reduced) {
      model.fail("reduced \(accounts.reduced)")
    }
    return model.failures
  }

  /// Returns when the bodies of odd jobs wait to be stopped and all others have returned; gives up, so that the
  /// seed is told, when that does not come about.
  private func comeToRest() async {
    let start = ContinuousClock.now
    while start.duration(to: .now) < patience {
      await store.settled()
      // A run is told to be running before its body's first line: it is at rest only when its body has said so.
      let work = store.activity.entries.flatMap(\.work).count { $0.phase != .finished }
      if bodies.isAtRest(work) { break }
      await Task.yield()
    }
    await store.settled()
  }

  private func act(_ actor: Int) async {
    var random = SeededGenerator(seed: seed &* 7 &+ UInt64(actor))
    var connections: [Connection] = []
    let scope = store.scope(\.count, action: Ledger.Action.add)
    for _ in 0..<Int.random(in: 2...12, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3: dispatch(.ask(job(&random)))
      case 4: dispatch(.drop(Int.random(in: 0..<3, using: &random)))
      case 5:
        let job = job(&random)
        dispatch(.drop(job.name))
        dispatch(.ask(job))
      case 6:
        for action in [Ledger.Action.drop(0), .ask(job(&random)), .add(1)] { dispatch(action) }
      case 7:
        dispatched.withLock { $0 += 1 }
        await store.send(.add(1))
      case 8:
        dispatched.withLock { $0 += 1 }
        scope.dispatch(1)
      case 9:
        let identity = bodies.newConnection()
        connections.append(
          store.connect(effect(of: identity), to: \.jobs, named: "brief", longRunning: true))
      case 10:
        if let connection = connections.popLast() {
          connection.disconnect()
          if Bool.random(using: &random) { await connection.finished() }
        }
      default: await Task.yield()
      }
    }
    for connection in connections { connection.disconnect() }
  }

  private func dispatch(_ action: Ledger.Action) {
    dispatched.withLock { $0 += 1 }
    store.dispatch(action)
  }

  private func job(_ random: inout SeededGenerator) -> Job {
    Job(name: Int.random(in: 0..<3, using: &random), value: Int.random(in: 0..<4, using: &random))
  }

  private func effect(of connection: Int) -> JobEffect {
    JobEffect { [bodies, fates] job, send in
      bodies.began(job, connection)
      if job.value == 2 { await Task.yield() }
      fates.add(await send(.answered(job)))
      if job.value == 0 { fates.add(await send(.done(job))) }
      if !job.value.isMultiple(of: 2) {
        bodies.pauses()
        try? await Gate().wait()
        bodies.continues()
        fates.add(await send(.answered(job)))
      }
      bodies.ended(job, connection)
    }
  }
}

/// The bodies of all connections: which have begun, and which go on.
final class Bodies: Sendable {
  private struct Identity: Hashable {
    let connection: Int
    let name: Int
  }

  private struct State {
    var connections = 0
    var alive: [Identity: [Job]] = [:]
    var began: [Int: [Job]] = [:]
    var mostAlive = 0
    /// How many have begun and neither ended nor come to where they wait to be stopped.
    var going = 0
    /// How many wait to be stopped.
    var waiting = 0
  }

  private let state = Lock(State())

  func newConnection() -> Int {
    state.withLock {
      $0.connections += 1
      return $0.connections
    }
  }

  func began(_ job: Job, _ connection: Int) {
    state.withLock {
      $0.going += 1
      $0.began[connection, default: []].append(job)
      $0.alive[Identity(connection: connection, name: job.name), default: []].append(job)
      $0.mostAlive = max($0.mostAlive, $0.alive.values.map(\.count).max() ?? 0)
    }
  }

  func ended(_ job: Job, _ connection: Int) {
    state.withLock { state in
      state.going -= 1
      let identity = Identity(connection: connection, name: job.name)
      if let index = state.alive[identity]?.firstIndex(of: job) { state.alive[identity]?.remove(at: index) }
    }
  }

  /// A body waits to be stopped from here on.
  func pauses() {
    state.withLock {
      $0.going -= 1
      $0.waiting += 1
    }
  }

  func continues() {
    state.withLock {
      $0.going += 1
      $0.waiting -= 1
    }
  }

  /// Whether all of what runs, `count` by the store's word, is bodies that wait to be stopped.
  func isAtRest(_ count: Int) -> Bool { state.withLock { $0.going == 0 && $0.waiting == count } }

  func began(_ connection: Int) -> [Job] { state.withLock { $0.began[connection] ?? [] } }
  var mostAlive: Int { state.withLock(\.mostAlive) }
}
