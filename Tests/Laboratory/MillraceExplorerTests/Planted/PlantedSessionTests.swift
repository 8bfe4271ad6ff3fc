import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Bugs of what should have ended, or of time that passes.
@Suite struct PlantedSessionTests {
  /// An inbox that is asked for messages for as long as somebody is signed in.
  enum Inbox {
    struct State: Hashable, Sendable {
      var user: String?
      var isWatching = false
      var messages = 0
    }

    enum Action: Hashable, Sendable {
      case signedIn(String)
      case signedOut
      case watched
      case arrived(Int)
      case failed
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .signedIn(let user): state.user = user
        case .signedOut:
          (state.user, state.messages) = (nil, 0)
          if isRight { state.isWatching = false }
        case .watched: state.isWatching = true
        case .arrived(let messages): state.messages = messages
        case .failed: break
        }
      } connect: { store in
        store.connect(
          fallible(String.self) { _ in Action.failed }.polled(
            every: .seconds(60), backingOff: Backoff(jitter: 0)),
          when: { $0.isWatching ? "inbox" : nil }, named: "inbox", longRunning: true)
      }
      .userActions { $0.user == nil ? [.signedIn("ada")] : [.watched, .signedOut] }
      .outcomes(of: String.self) { _ in [.answers(.arrived(1)), .fails(Offline())] }
      .never("a message of nobody") { $0.user == nil && $0.messages > 0 }
    }
  }

  @Test("not cancelled on sign-out: an inbox is asked for messages of nobody", arguments: [false, true])
  func inboxOfNobody(isRight: Bool) async throws {
    try await Inbox.explorer(isRight).check(isRight, moves: 4)
  }

  /// Requests that are refused while their token is old, after which another token is asked for.
  enum Token {
    struct Load: Hashable, Sendable {
      var name: String
      var token: Int
    }

    struct State: Hashable, Sendable {
      var token = 1
      /// The token in place of which another one is asked for.
      var replaced: Int?
      var loads: Set<Load> = [Load(name: "a", token: 1), Load(name: "b", token: 1)]
      var waiting: Set<String> = []
    }

    enum Action: Hashable, Sendable {
      case loaded(Load)
      case refused(Load)
      case renewed(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .loaded(let load): state.loads.remove(load)
        case .refused(let load):
          state.loads.remove(load)
          if isRight, load.token != state.token {
            state.loads.insert(Load(name: load.name, token: state.token))
          } else {
            state.waiting.insert(load.name)
            state.replaced = state.token
          }
        case .renewed(let token):
          (state.token, state.replaced) = (token, nil)
          state.loads.formUnion(state.waiting.map { Load(name: $0, token: token) })
          state.waiting = []
        }
      } connect: { store in
        let limit = ConcurrencyLimit(2)
        store.connect(
          fallible(Load.self) { Action.refused($0) }.limited(by: limit), when: \.loads, named: "load")
        store.connect(
          infallible(Int.self, sending: Action.self).limited(by: limit, priority: { _ in 1 }),
          when: \.replaced,
          named: "renew")
      }
      .outcomes(of: Load.self) { $0.token == 1 ? [.fails(Offline())] : [.answers(.loaded($0))] }
      .outcomes(of: Int.self) { [.answers(.renewed($0 + 1))] }
      .never("a token is renewed that no request has tried") { $0.replaced == 2 }
    }
  }

  @Test("race of two effects: a token is renewed twice", arguments: [false, true])
  func twoRenewals(isRight: Bool) async throws {
    try await Token.explorer(isRight).check(isRight, moves: 3)
  }

  /// A report with a limit of time that is a timer of its own.
  enum Report {
    struct State: Hashable, Sendable {
      var report: String?
      var timers: Set<TimerRequest<String>> = []
      var isLate = false
      var text: String?
    }

    enum Action: Hashable, Sendable {
      case asked(String)
      case arrived(String)
      case timer(TimerEvent<String>)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .asked(let report):
          state = State(report: report, timers: [TimerRequest("limit", .after(.seconds(10)))])
        case .arrived(let text): (state.report, state.timers, state.text) = (nil, [], text)
        case .timer:
          (state.timers, state.isLate) = ([], true)
          if isRight { state.report = nil }
        }
      } connect: { store in
        store.connect(when: \.report, named: "report") { _, _ in }
        store.connect(TimerEffect(), to: \.timers, action: Action.timer, named: "timer")
      }
      .userActions { _ in [.asked("June")] }
      .outcomes(of: String.self) { [.answers(.arrived($0))] }
      .never("a report and that it is late") { $0.isLate && $0.text != nil }
    }
  }

  @Test("late answer after a time-out: the request is still asked for", arguments: [false, true])
  func lateReport(isRight: Bool) async throws {
    let explorer = Report.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.asked("June"))
      if store.inProgress().contains(TimerRequest<String>("limit", .after(Duration.seconds(10)), tolerance: nil)) { store.answer(TimerRequest<String>("limit", .after(Duration.seconds(10)), tolerance: nil), with: TimerEvent<String>.fired("limit", TimerTick(count: 1, due: Duration.seconds(10), missed: 0))) }
      if store.inProgress().contains("June") { store.answer("June", with: .arrived("June")) }
      let holds: (PlantedSessionTests.Report.State) -> Bool = { $0.isLate && $0.text != nil }
      #expect(!holds(store.state))
      await store.finish()
    }
  }

  /// A screen that is locked a while after its user is warned. What the user does begins both times anew.
  enum Lock {
    struct State: Hashable, Sendable {
      var round = 0
      var isWarned = false
      var isLocked = false
      var isRight: Bool

      var timers: Set<TimerRequest<String>> {
        isLocked
          ? []
          : [
            TimerRequest("warn \(round)", .after(.seconds(20))),
            TimerRequest(isRight ? "lock \(round)" : "lock", .after(.seconds(30))),
          ]
      }
    }

    enum Action: Hashable, Sendable {
      case touched
      case timer(TimerEvent<String>)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State(isRight: isRight)) { state, action in
        switch action {
        case .touched where !state.isLocked: (state.round, state.isWarned) = (1 - state.round, false)
        case .timer(.fired(let id, _)) where id.hasPrefix("warn"): state.isWarned = true
        case .timer(.fired): state.isLocked = true
        default: break
        }
      } connect: { store in
        store.connect(TimerEffect(), to: \.timers, action: Action.timer, named: "timer")
      }
      .userActions { _ in [.touched] }
      .never("it is locked without a warning") { $0.isLocked && !$0.isWarned }
    }
  }

  @Test("timer of before: the screen is locked while it is used", arguments: [false, true])
  func lockedWhileUsed(isRight: Bool) async throws {
    try await Lock.explorer(isRight).check(isRight, moves: 3)
  }

  /// A connection that is begun again after a failure, once in a minute.
  enum Line {
    struct State: Hashable, Sendable {
      var isWanted = true
      var isOnline = false
    }

    enum Action: Hashable, Sendable { case online, restarting, failed }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .online: state.isOnline = true
        case .restarting: state.isOnline = false
        case .failed: if isRight { state = State(isWanted: false) }
        }
      } connect: { store in
        store.connect(
          fallible(String.self) { _ in Action.failed }
            .supervised(
              restarts: 1, within: .seconds(60), by: Backoff(jitter: 0), restarting: { _, _ in .restarting }),
          when: { $0.isWanted ? "line" : nil }, named: "line", longRunning: true)
      }
      .outcomes(of: String.self) { _ in [.sends(.online), .fails(Offline())] }
      .always("what is online is connected") { state, running in !state.isOnline || !running.isEmpty }
    }
  }

  @Test("still online: that the connection is given up is forgotten", arguments: [false, true])
  func stillOnline(isRight: Bool) async throws {
    try await Line.explorer(isRight).check(isRight, moves: 4)
  }
}
