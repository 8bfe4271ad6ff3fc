import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import Testing

/// Bugs of features that do something that must be done once.
@Suite struct PlantedSubmitTests {
  /// An order form.
  enum Order {
    struct State: Hashable, Sendable {
      var orders: Set<Int> = []
      var number = 0
      var problem: String?
    }

    enum Action: Hashable, Sendable {
      case tapped
      case placed(Int)
      case failed(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .tapped where isRight && !state.orders.isEmpty: break
        case .tapped:
          state.number += 1
          state.orders.insert(state.number)
        case .placed(let number): state.orders.remove(number)
        case .failed(let number):
          state.orders.remove(number)
          state.problem = "order \(number) was not placed"
        }
      } connect: { store in
        store.connect(
          fallible(Int.self) { Action.failed($0) }.timingOut(
            after: .seconds(30), failure: { _ in Offline() }),
          when: \.orders, named: "order")
      }
      .userActions { $0.number < 2 ? [.tapped] : [] }
      .outcomes(of: Int.self) { [.answers(.placed($0)), .fails(Offline())] }
      .never("two orders are placed at once") { _, running in running.count > 1 }
    }
  }

  @Test("double submit: two taps are two orders", arguments: [false, true])
  func twoTaps(isRight: Bool) async throws {
    try await Order.explorer(isRight).check(isRight, moves: 2)
  }

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

  /// A charge that is made once; where it was interrupted, the user may let it begin again.
  enum Charge {
    struct Request: Codable, Hashable, Sendable {
      var id: String
      var attempt: Int
    }

    struct State: Hashable, Sendable {
      var charge: Request?
      var isBusy = false
      var asks = false
    }

    enum Action: Hashable, Sendable {
      case tapped
      case again
      case charged
      case once(OnceEvent<Request>)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .tapped: state = State(charge: Request(id: "a", attempt: 1), isBusy: true)
        case .again:
          (state.isBusy, state.asks) = (true, false)
          if isRight { state.charge?.attempt += 1 }
        case .charged, .once(.ended): state = State()
        case .once: (state.isBusy, state.asks) = (false, true)
        }
      } connect: { store in
        let ledger = Ledger<Request>(at: "/nowhere")
        store.connect(
          infallible(Request.self, sending: Action.self)
            .once(in: ledger, key: \.id, attempt: \.attempt, event: { .once($0) }).inSequence(),
          when: \.charge, named: "charge")
      }
      .userActions { $0.charge == nil ? [.tapped] : $0.asks ? [.again] : [] }
      .outcomes(of: Request.self) { charge in
        charge.attempt == 1
          ? [.answers(.once(.interrupted(charge, key: "a"))), .answers(.charged)] : [.answers(.charged)]
      }
      .always("what is busy is being charged") { state, running in !state.isBusy || !running.isEmpty }
    }
  }

  @Test(
    "spinner left on: an interrupted charge is asked for under the same attempt", arguments: [false, true])
  func theSameAttempt(isRight: Bool) async throws {
    try await Charge.explorer(isRight).check(isRight, moves: 3)
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

  /// Seats that are held while they are selected.
  enum Seats {
    struct State: Hashable, Sendable { var seats: Set<Int> = [] }

    enum Action: Hashable, Sendable {
      case tapped(Int)
      case taken(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .tapped(let seat):
          if state.seats.remove(seat) == nil, isRight ? state.seats.count < 2 : state.seats.count <= 2 {
            state.seats.insert(seat)
          }
        case .taken(let seat): state.seats.remove(seat)
        }
      } connect: { store in
        store.connect(
          fallible(Int.self) { Action.taken($0) }.ignoringWhileRunning(per: { $0 }), when: \.seats,
          named: "hold")
      }
      .userActions { _ in [.tapped(1), .tapped(2), .tapped(3)] }
      .outcomes(of: Int.self) { _ in [.answers(), .fails(Offline())] }
      .always("two seats at most") { $0.seats.count <= 2 }
    }
  }

  @Test("off by one at a limit: a third seat", arguments: [false, true])
  func aThirdSeat(isRight: Bool) async throws {
    try await Seats.explorer(isRight).check(isRight, moves: 3)
  }

  /// Messages under a quota of one in ten seconds.
  enum Quota {
    struct State: Hashable, Sendable {
      var typed = 0
      var asked: Set<Int> = []
      var waiting: Set<Int> = []
      var sent = 0
    }

    enum Action: Hashable, Sendable {
      case typed
      case again
      case sent(Int)
      case refused(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed:
          state.typed += 1
          state.asked.insert(state.typed)
        case .again:
          state.asked.formUnion(state.waiting)
          state.waiting = []
        case .sent(let message):
          state.asked.remove(message)
          state.sent += 1
        case .refused(let message):
          state.asked.remove(message)
          if isRight { state.waiting.insert(message) }
        }
      } connect: { store in
        let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(10))
        store.connect(
          infallible(Int.self, sending: Action.self).rateLimited(by: bucket, refused: { .refused($1) }),
          when: \.asked, named: "send")
      }
      .userActions { ($0.typed < 2 ? [.typed] : []) + ($0.waiting.isEmpty ? [] : [.again]) }
      .outcomes(of: Int.self) { [.answers(.sent($0))] }
      .always("no message is lost") { $0.typed == $0.asked.count + $0.waiting.count + $0.sent }
    }
  }

  @Test("lost message: one that was refused by a quota is dropped", arguments: [false, true])
  func aRefusedMessage(isRight: Bool) async throws {
    try await Quota.explorer(isRight).check(isRight, moves: 3)
  }
}
