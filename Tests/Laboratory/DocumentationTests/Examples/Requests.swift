import Millrace
import MillraceTesting
import Testing

@Suite struct RequestExamples {
  // ThinkingInRequests
  struct Upload: Equatable, Sendable {
    enum Phase: Equatable, Sendable {
      case none
      case asked(attempt: Int)
      case done
      case failed(attempt: Int)
    }

    var file = ""
    var phase = Phase.none
    var percent = 0
  }

  enum UploadAction: Equatable, Sendable {
    case fileChosen(String)
    case retryTapped
    case progressed(percent: Int)
    case finished
    case failed
  }

  static func reduceUpload(_ state: inout Upload, _ action: UploadAction) {
    switch action {
    case .fileChosen(let file): state = Upload(file: file, phase: .asked(attempt: 1))
    case .retryTapped:
      if case .failed(let attempt) = state.phase { state.phase = .asked(attempt: attempt + 1) }
    case .progressed(let percent): state.percent = percent
    case .finished: state.phase = .done
    case .failed:
      if case .asked(let attempt) = state.phase { state.phase = .failed(attempt: attempt) }
    }
  }

  // ThinkingInRequests
  struct UploadEffect: EffectComponent {
    struct UploadRequest: Hashable, Sendable {
      let file: String
      let attempt: Int
    }

    let chunks: @Sendable (String) async throws -> [Int]

    func requests(in state: Upload) -> Set<UploadRequest> {
      guard case .asked(let attempt) = state.phase else { return [] }
      return [UploadRequest(file: state.file, attempt: attempt)]
    }

    func run(_ request: UploadRequest, send: Send<UploadAction>) async throws {
      let chunks = try await chunks(request.file)
      var sent = 0
      var reported = 0
      for chunk in chunks {
        sent += chunk
        let percent = sent * 100 / chunks.reduce(0, +)
        guard percent > reported else { continue }
        reported = percent
        guard await send(.progressed(percent: percent)) == .reduced else { return }
      }
      await send(.finished)
    }

    func action(for failure: any Error, of request: UploadRequest) -> UploadAction { .failed }
  }

  @Test("an upload is tried again, tells its progress at most a hundred times, and ends last")
  func upload() async {
    let failures = Recorder<String>()
    let store = Store(initialState: Upload(), on: .immediate, reduce: Self.reduceUpload)
    let reported = Recorder<UploadAction>()
    store.onAction { action, _ in reported.append(action) }
    store.connect(
      UploadEffect { file in
        failures.append(file)
        if failures.count == 1 { throw CancellationError() }
        return Array(repeating: 1, count: 1000)
      })
    store.dispatch(.fileChosen("a"))
    await store.settled()
    #expect(store.state.phase == .failed(attempt: 1))
    store.dispatch(.retryTapped)
    await store.settled()
    #expect(store.state == Upload(file: "a", phase: .done, percent: 100))
    #expect(reported.values.filter { if case .progressed = $0 { true } else { false } }.count == 100)
  }

  // ThinkingInRequests
  struct Account: Equatable, Sendable {
    var user: String?
    var greeting: String?
  }

  enum AccountAction: Sendable {
    case signedIn(String)
    case signedOut
    case greeted(String)
  }

  static func reduceAccount(_ state: inout Account, _ action: AccountAction) {
    switch action {
    case .signedIn(let user): state = Account(user: user)
    case .signedOut: state = Account()
    case .greeted(let greeting): state.greeting = greeting
    }
  }

  @Test("what is asked for once per login needs no flag")
  func edge() async {
    let store = Store(initialState: Account(), on: .immediate, reduce: Self.reduceAccount)
    // ThinkingInRequests
    store.connect(when: \.user) { user, send in
      await send(.greeted("Welcome, \(user)"))
    }
    for user in ["ann", "ann"] {
      store.dispatch(.signedIn(user))
      store.dispatch(.signedOut)
      store.dispatch(.signedIn(user))
      await store.settled()
    }
    #expect(store.state.greeting == "Welcome, ann")
  }

  @Test("the last action of a run is the one that ends it")
  func endsLast() async {
    struct Lookup: Equatable, Sendable {
      var word: String? = "swift"
      var log: [String] = []
    }
    enum LookupAction: Sendable {
      case logged(String)
      case answered
    }
    let store = Store<Lookup, LookupAction>(initialState: Lookup(), on: .immediate) { state, action in
      switch action {
      case .logged(let line): state.log.append(line)
      case .answered: state.word = nil
      }
    }
    // Troubleshooting
    store.connect(when: \.word) { word, send in
      await send(.logged("found \(word)"))
      await send(.answered)
    }
    await store.settled()
    #expect(store.state == Lookup(word: nil, log: ["found swift"]))
  }
}

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
}
