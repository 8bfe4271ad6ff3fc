import Millrace
import MillraceEffects

/// The program: four features that meet in the state.
enum App {
  struct State: Sendable {
    fileprivate(set) var crawl: Crawl.State
    fileprivate(set) var checkpoints: Checkpoints.State
    fileprivate(set) var stop: Stop.State
    fileprivate(set) var status = Status.State()
    fileprivate var toldTrouble: String?

    init(crawl: Crawl.State, checkpoints: Checkpoints.State, stop: Stop.State = Stop.State()) {
      self.crawl = crawl
      self.checkpoints = checkpoints
      self.stop = stop
      featuresMeet(isTick: false)
    }
  }

  enum Action: Sendable {
    case crawl(Crawl.Action)
    case checkpoints(Checkpoints.Action)
    case stop(Stop.Action)
    case status(Status.Action)
  }

  /// How a run ends.
  enum Outcome: Equatable, Sendable {
    case finished
    case stopped(Signal)
    case failed(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    var isTick = false
    switch action {
    case .crawl(let action): Crawl.reduce(&state.crawl, action)
    case .checkpoints(let action): Checkpoints.reduce(&state.checkpoints, action)
    case .stop(let action): Stop.reduce(&state.stop, action)
    case .status:
      // Before the first page has been read, it may turn out that there is nothing to check.
      if state.crawl.hasPage { state.status.show(state.counts) }
      isTick = true
    }
    state.featuresMeet(isTick: isTick)
  }

  /// Connects every component of the program.
  static func connect(
    to store: Store<State, Action>, client: HTTPClient, storage: FileStorage<Checkpoint>?,
    view: ProgressView<ContinuousClock>
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
      checked: crawl.findings.count, known: crawl.knownCount, troubles: crawl.troubles,
      saved: crawl.scope.kind == .site && checkpoints.place != .nowhere ? checkpoints.savedCount : nil)
  }

  /// What follows in one feature from what happened in another.
  fileprivate mutating func featuresMeet(isTick: Bool) {
    if checkpoints.isReady, crawl.phase == .idle, stop.received == nil {
      let kept = checkpoints.saving.value.findings
      if !kept.isEmpty { status.tell("going on from kept progress: \(kept.count) addresses are known") }
      Crawl.reduce(&crawl, .began(knowing: kept))
    }
    if stop.received != nil, crawl.phase != .stopped { Crawl.reduce(&crawl, .stopped) }
    let isUrgent = isTick || crawl.isFinished || stop.received != nil
    checkpoints.keep(crawl.findingsToKeep, isUrgent: isUrgent)
    if checkpoints.refusal == nil, let trouble = checkpoints.trouble, trouble != toldTrouble {
      toldTrouble = trouble
      status.tell(trouble)
    }
    if let outcome, !status.isOver {
      if outcome == .finished { status.show(counts) }
      status.end()
    }
  }
}
