import Millrace
import MillraceTesting
import Testing

/// A feature that ends with an outcome, and the app that takes it.
enum SignIn {
  // StyleGuide
  struct State: Equatable, Sendable {
    var name = ""
    var attempt: Int?
    var outcome: Outcome?
    var problem: String?
  }

  enum Outcome: Equatable, Sendable {
    case signedIn(token: String)
    case cancelled
  }

  enum Action: Equatable, Sendable {
    case nameChanged(String)
    case submitTapped
    case cancelTapped
    case tokenArrived(String)
    case signInFailed(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .nameChanged(let name): state.name = name
    case .submitTapped: (state.attempt, state.problem) = ((state.attempt ?? 0) + 1, nil)
    case .cancelTapped: state.outcome = .cancelled
    case .tokenArrived(let token): state.outcome = .signedIn(token: token)
    case .signInFailed(let problem): (state.attempt, state.problem) = (nil, problem)
    }
  }
}

enum Shell {
  struct State: Equatable, Sendable {
    var token: String?
    var signIn: SignIn.State? = SignIn.State()
  }

  enum Action: Sendable {
    case signIn(SignIn.Action)
    case signOutTapped
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    // StyleGuide
    case .signIn(let action):
      guard var signIn = state.signIn else { return }
      SignIn.reduce(&signIn, action)
      state.signIn = signIn.outcome == nil ? signIn : nil
      if case .signedIn(let token) = signIn.outcome { state.token = token }
    case .signOutTapped: state = State()
    }
  }
}

/// A job in which no two fields can contradict each other.
enum Import {
  // StyleGuide
  enum Phase: Equatable, Sendable {
    case idle
    case reading(file: String, attempt: Int)
    case done(rows: Int)
    case failed(file: String, attempt: Int, reason: String)
  }

  // StyleGuide
  struct State: Equatable, Sendable {
    var phase = Phase.idle

    /// What is asked for, in one place.
    var reading: Reading? {
      guard case .reading(let file, let attempt) = phase else { return nil }
      return Reading(file: file, attempt: attempt)
    }
  }

  struct Reading: Hashable, Sendable {
    let file: String
    let attempt: Int
  }

  enum Action: Equatable, Sendable {
    case fileChosen(String)
    case retryTapped
    case rowsRead(Int)
    case readFailed(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .fileChosen(let file): state.phase = .reading(file: file, attempt: 1)
    case .retryTapped:
      guard case .failed(let file, let attempt, _) = state.phase else { return }
      state.phase = .reading(file: file, attempt: attempt + 1)
    case .rowsRead(let rows): state.phase = .done(rows: rows)
    case .readFailed(let reason):
      guard let reading = state.reading else { return }
      state.phase = .failed(file: reading.file, attempt: reading.attempt, reason: reason)
    }
  }

  // StyleGuide
  static func connect(
    to store: Store<State, Action>, read: @escaping @Sendable (String) async throws -> Int
  ) {
    store.connect(
      when: \.reading, failure: { error, _ in .readFailed("\(error)") }, named: "read",
      run: { reading, send in await send(.rowsRead(try await read(reading.file))) })
  }
}

@Suite struct RuleExamples {
  @Test("an outcome ends the part of the state that has come to it")
  func outcome() {
    var state = Shell.State()
    Shell.reduce(&state, .signIn(.tokenArrived("abc")))
    #expect(state == Shell.State(token: "abc", signIn: nil))
    state = Shell.State()
    Shell.reduce(&state, .signIn(.cancelTapped))
    #expect(state == Shell.State(token: nil, signIn: nil))
    Shell.reduce(&state, .signIn(.tokenArrived("late")))
    #expect(state.token == nil)
  }

  @Test("a phase asks for work, and keeps its failure")
  func phases() async {
    struct Unreadable: Error {}
    let store = Store(initialState: Import.State(), on: .immediate, reduce: Import.reduce)
    let fails = Recorder<String>()
    Import.connect(to: store) { file in
      fails.append(file)
      if fails.values.count == 1 { throw Unreadable() }
      return 3
    }
    store.dispatch(.fileChosen("a.csv"))
    await store.settled()
    #expect(store.state.phase == .failed(file: "a.csv", attempt: 1, reason: "Unreadable()"))
    store.dispatch(.retryTapped)
    await store.settled()
    #expect(store.state.phase == .done(rows: 3))
  }
}
