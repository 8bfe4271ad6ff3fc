import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceStorage
import MillraceSystem

/// The program: four features that meet in the state.
enum App {
  struct State: Sendable {
    fileprivate(set) var crawl: Crawl.State
    fileprivate(set) var checkpoints: Checkpoints.State
    fileprivate(set) var stop: Stop.State
    fileprivate(set) var status = Status.State()
    /// The number of troubles with the progress file that were already shown.
    fileprivate var toldTroubles = 0
    /// The checked site or folder, for people.
    private let subject: String

    init(
      crawl: Crawl.State, checkpoints: Checkpoints.State, stop: Stop.State = Stop.State(),
      subject: String? = nil
    ) {
      (self.crawl, self.checkpoints, self.stop) = (crawl, checkpoints, stop)
      self.subject = subject ?? crawl.scope.start.text
      featuresMeet()
    }
  }

  enum Action: Sendable {
    case crawl(Crawl.Action)
    case checkpoints(Checkpoints.Action)
    case stop(Stop.Action)
    case status(Status.Action)
  }

  /// The ending of a run.
  enum Outcome: Equatable, Sendable {
    case finished
    case stopped(ProcessSignal)
    case failed(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .crawl(let action): Crawl.reduce(&state.crawl, action)
    case .checkpoints(let action): Checkpoints.reduce(&state.checkpoints, action)
    case .stop(let action): Stop.reduce(&state.stop, action)
    case .status:
      // Before the first page has been read, it may turn out that there is nothing to check.
      if state.crawl.hasPage { state.status.show(state.counts) }
    }
    state.featuresMeet()
  }

  /// Connects every component of the program.
  static func connect(
    to store: Store<State, Action>, client: HTTPClient, storage: JournalStorage<KeptKey, KeptEntry>?,
    view: TerminalProgressView
  ) {
    Crawl.connect(to: store.scope(\.crawl, action: Action.crawl), client: client)
    if let storage {
      Checkpoints.connect(to: store.scope(\.checkpoints, action: Action.checkpoints), storage: storage)
    }
    Stop.connect(to: store.scope(\.stop, action: Action.stop))
    Status.connect(to: store.scope(\.status, action: Action.status), view: view)
  }
}

extension App.State {
  var outcome: App.Outcome? {
    if let refusal = checkpoints.refusal { return .failed(refusal) }
    if let signal = stop.received { return checkpoints.isSettled ? .stopped(signal) : nil }
    if let failure = crawl.failure { return .failed(failure) }
    return crawl.isFinished && checkpoints.isSettled ? .finished : nil
  }

  var counts: Status.Counts {
    Status.Counts(
      checked: crawl.findings.count, known: crawl.knownCount, broken: crawl.troubles,
      saved: crawl.scope.kind == .site && checkpoints.isKeeping ? checkpoints.savedCount : nil)
  }

  /// Applies the changes of one feature that follow from an action of another.
  fileprivate mutating func featuresMeet() {
    // A reader of this program's output may send a signal, which must then stop the check in order.
    guard stop.isListening || outcome != nil else { return }
    if checkpoints.isReady, crawl.phase == .idle, stop.received == nil {
      status.tell("checking \(subject)")
      let kept = checkpoints.takeKept()
      if let summary = kept.summary { status.tell(summary) }
      Crawl.reduce(&crawl, .began(knowing: kept.findings))
    }
    if stop.received != nil, crawl.phase != .stopped { Crawl.reduce(&crawl, .stopped) }
    for address in crawl.takeNewlyFound() {
      if crawl.isWorthKeeping(address), let finding = crawl.findings[address] {
        checkpoints.keep(finding, at: address)
      }
    }
    for trouble in checkpoints.troubles[toldTroubles...] { status.tell(trouble) }
    toldTroubles = checkpoints.troubles.count
    if let outcome, !status.isOver {
      if outcome == .finished { status.show(counts) }
      status.end()
    }
  }
}
