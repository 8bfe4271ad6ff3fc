import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// A screen of many accounts, each of which is asked for its balance once a minute.
enum Accounts {
  // AScreenOfMany
  struct Account: Identifiable, Equatable, Sendable {
    let id: Int
    let bank: String
    var isPaused = false
    var balance: Int?
    var problem: String?

    var query: Query? { isPaused ? nil : Query(account: id, bank: bank) }
  }

  struct Query: Hashable, Sendable {
    let account: Int
    let bank: String
  }

  // AScreenOfMany
  enum Event: Equatable, Sendable {
    case arrived(Int)
    case failed(String)
    case leftAlone(for: Duration?)
  }

  // AScreenOfMany
  struct State: Equatable, Sendable {
    var accounts: KeyedArray<Account> = []
  }

  enum Action: Equatable, Sendable {
    case opened([Account])
    case paused(Int, Bool)
    case closed(Int)
    case account(Int, Event)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .opened(let accounts): for account in accounts { state.accounts.append(account) }
    case .paused(let id, let isPaused): state.accounts[id: id]?.isPaused = isPaused
    case .closed(let id): state.accounts[id: id] = nil
    case .account(let id, let event): state.accounts.mutate(id: id) { reduce(&$0, event) }
    }
  }

  static func reduce(_ account: inout Account, _ event: Event) {
    switch event {
    case .arrived(let balance): (account.balance, account.problem) = (balance, nil)
    case .failed(let reason): account.problem = reason
    case .leftAlone: account.problem = "\(account.bank) does not answer"
    }
  }

  struct Outage: Error { var reason: String }

  // AScreenOfMany
  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C,
    load: @escaping @Sendable (Query) async throws(Outage) -> Int
  ) where C.Duration == Duration {
    let loading = Effect(
      failure: { (outage: Outage, _: Query) in Event.failed(outage.reason) },
      run: { (query: Query, send: Send<Event>) async throws(Outage) in
        await send(.arrived(try await load(query)))
      })
    let breakers = CircuitBreakers { (_: String) in
      CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30), clock: clock)
    }
    let polling =
      loading
      .guarded(by: breakers, per: \.bank, action: { refusal, _ in .leftAlone(for: refusal.retryDelay) })
      .limited(to: 8)
      .polled(every: .seconds(60), jitter: 0.5, clock: clock)
    store.connectEach(\.accounts, action: Action.account) { _, account in
      account.connect(polling, when: \.query, named: "poll", longRunning: true)
    }
  }
}

@Suite struct AccountExamples {
  private let accounts = (1...500).map { Accounts.Account(id: $0, bank: "bank \($0 % 4)") }

  @Test("500 accounts are asked eight at a time, each for as long as it is there")
  func manyAccounts() async throws {
    let (clock, gate, asked) = (TestClock(), Gate(), Recorder<Int>())
    let store = Store(initialState: Accounts.State(), on: .immediate, reduce: Accounts.reduce)
    let recording = try store.recordIfAsked()
    Accounts.connect(to: store, clock: clock) { query in
      asked.append(query.account)
      try? await gate.wait()
      return 100
    }
    store.dispatch(.opened(accounts))
    try await gate.waiters(atLeast: 8)
    #expect(asked.values.count == 8)
    store.dispatch(.paused(17, true))
    store.dispatch(.closed(18))
    try await eventually {
      store.activity.entries.flatMap(\.work).count { !$0.waitsFor.isEmpty } >= 498
    }
    try await eventually { "\(store.activity)".contains(" more, 478 with work") }
    // AScreenOfMany
    for entry in store.activity.entries where entry.slice.contains("accounts[400]") { print(entry) }
    gate.open()
    try await clock.sleepers(atLeast: 498)
    #expect(Set(asked.values).subtracting([17, 18]).count == 498)
    await store.shutdown()
    try await recording?.finish()
    #expect(store.state.accounts.count { $0.balance == 100 } == 498)
  }

  @Test("one effect on the whole collection says what it asks for")
  func oneEffect() async throws {
    let gate = Gate()
    @Sendable func load(_ query: Accounts.Query) async -> Int {
      try? await gate.wait()
      return 100
    }
    let store = Store(initialState: Accounts.State(), on: .immediate, reduce: Accounts.reduce)
    // AScreenOfMany
    store.connect(
      when: { Set($0.accounts.compactMap(\.query)) }, named: "poll",
      run: { query, send in
        await send(.account(query.account, .arrived(await load(query))))
      })
    store.dispatch(.opened(accounts))
    store.dispatch(.paused(17, true))
    let answer = "\(store.whyNot(Accounts.Query(account: 17, bank: "bank 1")))".split(separator: "\n")
    #expect(answer.first == #"Query(account: 17, bank: "bank 1") is not being served"#)
    let place = "  poll on computed Set<Accounts.Query> at DocumentationTests/Accounts.swift:"
    #expect(answer[1].hasPrefix(place))
    #expect(answer[1].hasSuffix(" does not ask for it"))
    #expect(answer[2].hasSuffix(" and 494 more"))
    gate.open()
    await store.settled()
    #expect(store.state.accounts.count { $0.balance == 100 } == 499)
  }
}
