import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import Testing

/// Bugs of features that do something that must be done once.
@Suite struct PlantedSubmitTests {
  /// A payment with a key by which the bank knows a repetition.
  enum Payment {
    struct State: Hashable, Sendable {
      var key = 1
      var isPaying = false
      var isPaid = false
      /// The keys of payments that the bank may have made.
      var keys: Set<Int> = []
    }

    enum Action: Hashable, Sendable {
      case tapped
      case paid
      case declined
      case timedOut
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .tapped:
          state.isPaying = true
          state.keys.insert(state.key)
        case .paid: (state.isPaying, state.isPaid) = (false, true)
        case .declined:
          state.isPaying = false
          state.keys.remove(state.key)
          state.key += 1
        case .timedOut:
          state.isPaying = false
          if !isRight { state.key += 1 }
        }
      } connect: { store in
        store.connect(
          fallible(Int.self) { _ in Action.declined }.timingOut(
            after: .seconds(30), action: { _ in .timedOut }
          )
          .ignoringWhileRunning(),
          when: { $0.isPaying ? $0.key : nil }, named: "pay")
      }
      .userActions { $0.isPaid || $0.key > 2 ? [] : [.tapped] }
      .outcomes(of: Int.self) { _ in [.answers(.paid), .fails(Offline())] }
      .always("the bank knows a repetition") { $0.keys.count < 2 }
    }
  }

  @Test(
    "double submit: a payment whose time is over is repeated under another key", arguments: [false, true])
  func anotherKey(isRight: Bool) async throws {
    let explorer = Payment.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.tapped)
      if store.inProgress().contains(1) { store.answer(1, with: .timedOut) }
      store.send(.tapped)
      let holds: (PlantedSubmitTests.Payment.State) -> Bool = { $0.keys.count < 2 }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  /// Messages whose numbers the receiver compares with those that it has received.
  enum Chat {
    struct State: Hashable, Sendable {
      /// The newest number.
      var next = 0
      var queue: [Int] = []
      /// What the receiver has.
      var received: Set<Int> = []
    }

    enum Action: Hashable, Sendable {
      case typed
      case received(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed:
          if isRight { state.next = max(state.next, state.received.union(state.queue).max() ?? 0) }
          state.next += 1
          state.queue.append(state.next)
        case .received(let number):
          state.queue.removeAll { $0 == number }
          state.received.insert(number)
        }
      } connect: { store in
        store.connect(
          infallible(Int.self, sending: Action.self).hedged(after: .seconds(2)), when: { $0.queue.first },
          named: "send")
      }
      .userActions { $0.queue.count + $0.received.count < 3 ? [.typed] : [] }
      .outcomes(of: Int.self) { [.answers(.received($0))] }
      .crashes { State(queue: $0.queue, received: $0.received) }
      .always("no new message has an old number") { $0.received.isDisjoint(with: $0.queue) }
    }
  }

  @Test(
    "sent twice under one number: the newest number is not kept over a restart", arguments: [false, true])
  func aNumberAgain(isRight: Bool) async throws {
    let explorer = Chat.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 4, using: "explorer.testStore($state)") {
      let store = explorer.testStore(PlantedSubmitTests.Chat.State(next: 0, queue: [], received: []))
      store.exhaustivity = .none
      store.send(.typed)
      if store.inProgress().contains(1) { store.answer(1, with: .received(1)) }
      await store.finish()
      let storeAfter3 = explorer.testStore(PlantedSubmitTests.Chat.State(next: 0, queue: [], received: [1]))
      storeAfter3.exhaustivity = .none
      storeAfter3.send(.typed)
      let holds: (PlantedSubmitTests.Chat.State) -> Bool = { $0.received.isDisjoint(with: $0.queue) }
      #expect(holds(storeAfter3.state))
      await storeAfter3.finish()
    }
  }

  /// An upload that may be tried three times.
  enum Upload {
    struct State: Hashable, Sendable {
      var file: String? = "a"
      var attempt = 1
    }

    enum Action: Hashable, Sendable {
      case again(Int)
      case ended
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .again(let attempt): state.attempt = attempt
        case .ended: state.file = nil
        }
      } connect: { store in
        store.connect(
          fallible(String.self) { _ in Action.ended }
            .retried(
              times: isRight ? 2 : 3, by: Backoff(jitter: 0), action: { retry, _ in .again(retry.attempt) }),
          when: \.file, named: "upload")
      }
      .outcomes(of: String.self) { _ in [.answers(.ended), .fails(Offline())] }
      .always("there are three attempts at most") { $0.attempt <= 3 }
    }
  }

  @Test("off by one at a limit: three retries are four attempts", arguments: [false, true])
  func fourAttempts(isRight: Bool) async throws {
    let explorer = Upload.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 5, isInPolicy: true) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress().contains("a") { store.send(.again(2), from: "a") }
      if store.inProgress().contains("a") { store.send(.again(3), from: "a") }
      if store.inProgress().contains("a") { store.send(.again(4), from: "a") }
      let holds: (PlantedSubmitTests.Upload.State) -> Bool = { $0.attempt <= 3 }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
