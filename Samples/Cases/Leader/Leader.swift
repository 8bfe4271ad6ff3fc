import Millrace
import MillraceEffects
import MillraceTesting

/// One of several processes does the work, as long as it holds a lease. A process that loses the lease stops before the
/// next one begins. Late requests of the former holder are refused by the number of its lease.
nonisolated enum Leader {
  struct Lease: Codable, Hashable, Sendable {
    /// Higher for each holder. A server that has seen a higher token refuses requests with a lower one.
    var token: Int
  }

  struct Question: Hashable, Sendable {
    var held: Lease?
  }

  struct State: Equatable, Sendable {
    var lease: Lease?
    var isAsking = true
    var asked = 0

    /// Either the question or the wait for the next one is in the state.
    var question: Question? { isAsking ? Question(held: lease) : nil }
    var timers: Set<TimerRequest<String>> {
      var timers: Set<TimerRequest<String>> = isAsking ? [] : [TimerRequest("ask", .after(.seconds(5)))]
      // Shorter than the lease by the time of an answer, so that the work ends here before the lease ends there.
      if lease != nil { timers.insert(TimerRequest("end \(asked)", .after(.seconds(10)))) }
      return timers
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case answered(Lease?)
    case timer(TimerEvent<String>)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .answered(let lease):
      (state.lease, state.isAsking) = (lease, false)
      state.asked += 1
    case .timer(.fired("ask", _)): state.isAsking = true
    case .timer: state.lease = nil
    }
  }

  /// - Parameters:
  ///   - ask: takes or prolongs the lease; `nil` if another process has it.
  ///   - work: works until it is cancelled.
  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, ask: @escaping @Sendable (Lease?) async -> Lease?,
    work: @escaping @Sendable (Lease) async -> Void
  ) where C.Duration == Duration {
    store.connect(when: \.question, named: "ask") { question, send in
      await send(.answered(await ask(question.held)))
    }
    store.scope(computed: { $0.timers }, action: Action.timer)
      .connect(TimerEffect<String>(clock: clock), longRunning: true)
    store.connect(when: \.lease, named: "work", longRunning: true) { lease, _ in await work(lease) }
  }
}

nonisolated extension Case {
  static let leader = Case(
    name: "leader", symptom: "two processes do the same work after a pause of the network"
  ) { say in
    let (clock, cut) = (TestClock(), Lock(false))
    let service = Lock((token: 0, end: TestInstant.start))
    func process(_ name: String) -> Store<Leader.State, Leader.Action> {
      let store = Store(initialState: Leader.State(), on: .immediate, reduce: Leader.reduce)
      Leader.connect(
        to: store, clock: clock,
        ask: { held in
          if name == "a", cut.withLock({ $0 }) {
            _ = try? await clock.sleep(for: .seconds(3_600))  // no answer comes
            return nil
          }
          return service.withLock { service in
            guard held?.token == service.token || service.end <= clock.now else { return nil }
            if held?.token != service.token { service.token += 1 }
            service.end = clock.now.advanced(by: .seconds(15))
            return Leader.Lease(token: service.token)
          }
        },
        work: { _ in _ = try? await clock.sleep(for: .seconds(3_600)) })
      return store
    }
    let a = process("a")
    _ = await a.first { $0.asked == 1 }
    let b = process("b")
    func tell() {
      let roles = [("a", a), ("b", b)].map { name, store in
        "\(name) \(store.state.lease.map { "leads with \($0.token)" } ?? "waits")"
      }
      say("\(clock.now): \(roles.joined(separator: ", "))")
    }
    _ = await b.first { $0.asked == 1 }
    tell()
    for (count, sleepers) in [4, 4, 4, 2].enumerated() {
      try await clock.sleepers(atLeast: sleepers)
      if count == 1 {
        say("the network of a ends")
        cut.withLock { $0 = true }
      }
      clock.advance(by: .seconds(5))
      _ = await b.first { $0.asked == count + 2 }
      if count == 0 { _ = await a.first { $0.asked == 2 } }
      if count == 2 { _ = await a.first { $0.lease == nil } }
      tell()
    }
  }
}
