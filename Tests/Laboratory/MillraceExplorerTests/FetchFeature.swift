import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting

/// Fetches what is wanted, and logs what comes of it: for the policies around an effect.
enum Fetch {
  enum Problem: Error, Hashable, RetryAfterProviding {
    case offline
    case gone
    case busy(Duration)

    var retryDelay: Duration? { if case .busy(let delay) = self { delay } else { nil } }
  }

  struct State: Hashable, Sendable {
    var wanted: Set<String> = []
    var timers: Set<TimerRequest<String>> = []
    var log: [String] = []
  }

  enum Action: Hashable, Sendable {
    case want(String)
    case drop(String)
    case arrived(String)
    case failed(String)
    case retrying(String, RetryAttempt<Problem>)
    case gaveUp(String)
    case refused(String, Duration)
    case timer(TimerEvent<String>)
  }

  struct FetchEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.wanted }
    func run(_ name: String, send: Send<Action>) async throws(Problem) { throw .offline }
    func action(for failure: Problem, of name: String) -> Action { .failed(name) }
  }

  /// What is fetched is wanted no more, but for what is polled.
  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .want(let name): state.wanted.insert(name)
    case .drop(let name): state.wanted.remove(name)
    case .arrived(let name): end(name, "arrived", in: &state)
    case .failed(let name): end(name, "failed", in: &state)
    case .retrying(let name, let retry): state.log.append("\(name) again \(retry.attempt)")
    case .gaveUp(let name): end(name, "gave up", in: &state)
    case .refused(let name, _): end(name, "refused", in: &state)
    case .timer(let event):
      if case .fired(let name, _) = event { state.log.append("\(name) rang") }
      state.timers = []
    }
  }

  private static func end(_ name: String, _ what: String, in state: inout State) {
    state.log.append("\(name) \(what)")
    state.wanted.remove(name)
  }

  /// What is polled stays wanted, and its log is the last line.
  static func pollingReduce(_ state: inout State, _ action: Action) {
    let wanted = state.wanted
    reduce(&state, action)
    state.log = state.log.suffix(1)
    if case .drop = action { return }
    state.wanted.formUnion(wanted)
  }

  static let backoff = Backoff(first: .seconds(1), jitter: 0)

  static func retried<E: EffectComponent>(_ effect: E, times: Int) -> RetriedEffect<E, ContinuousClock>
  where E.Request == String, E.Action == Action, E.Failure == Problem {
    effect.retried(
      times: times, by: backoff, when: { retry, _ in retry.failure != .gone },
      action: { .retrying($1, $0) })
  }

  /// What may come of an effect, beginning with these requests.
  static func explorer<E: EffectComponent>(
    _ effect: E, wanting names: Set<String> = ["a"], timer: Duration? = nil,
    _ outcomes: @escaping @Sendable (String) -> [MillraceExplorer.Outcome<Action>] = {
      [.answers(.arrived($0)), .fails(Problem.offline)]
    },
    reduce: @escaping Reducer<State, Action> = reduce
  ) -> Explorer<State, Action> where E.State == State, E.Action == Action {
    let timers = timer.map { [TimerRequest("t", .after($0))] } ?? []
    return Explorer(initialState: State(wanted: names, timers: Set(timers)), reduce: reduce) { store in
      store.connect(effect, named: "fetch")
      store.connect(TimerEffect(), to: \.timers, action: Action.timer, named: "timer")
    }
    .outcomes(of: String.self, outcomes)
  }

  /// The user wants these, one after the other, once each.
  static func wanting(_ explorer: Explorer<State, Action>, _ names: String...) -> Explorer<State, Action> {
    explorer.userActions { state in
      let next = names.first { name in
        !state.wanted.contains(name) && !state.log.contains { $0.hasPrefix("\(name) ") }
      }
      return next.map { [.want($0)] } ?? []
    }
  }

  /// The lines of the story of a shortest way to a state, without what changes there.
  static func story(
    _ explorer: Explorer<State, Action>, to log: String..., depth: Int = .max
  ) -> [String] {
    let report = explorer.never("the log") { $0.log == log }.explore(depth: depth)
    guard let found = report.counterexamples.first else { return ["\(report)"] }
    let lines = found.story.split(separator: "\n").map { (line: Substring) in
      String(line.drop { $0 == " " })
    }
    return lines.filter { $0.first?.isNumber == true }
  }

  /// Every log that there may be at the end.
  static func logs(_ explorer: Explorer<State, Action>) -> Set<[String]> {
    let logs = Recorder<[String]>()
    let report = explorer.never("recorded") { state in
      if state.wanted.isEmpty { logs.append(state.log) }
      return false
    }
    .explore(depth: 30)
    return report.bounds.isEmpty && report.isClean ? Set(logs.values) : [["\(report)"]]
  }
}
