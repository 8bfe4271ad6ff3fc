import LinkcheckReaders
import Millrace
import MillraceStorage

/// Stores the findings in a file, so that an interrupted check can continue.
enum Checkpoints {
  struct State: Equatable, Sendable {
    let place: Place
    /// The target of the check, and its settings.
    let check: KeptCheck
    /// Whether stored findings are to be ignored.
    let startsOver: Bool
    fileprivate(set) var phase: Phase
    /// The changes that may not be in the file yet.
    fileprivate(set) var backlog = JournalBacklog<KeptKey, KeptEntry>()
    /// The stored findings, until they are taken.
    fileprivate var kept = KeptFindings()
    /// The number of findings that the file has or will have.
    private(set) var count = 0
    /// Messages for people, in order: damage that was found, and reasons why nothing can be stored.
    fileprivate(set) var troubles: [String] = []

    init(check: KeptCheck, place: Place, startsOver: Bool = false) {
      (self.check, self.place, self.startsOver) = (check, place, startsOver)
      phase = place == .nowhere ? .without : .loading
    }
  }

  enum Place: Equatable, Sendable {
    case nowhere
    /// A file. If the user named it, it is an error if it cannot be used.
    case file(String, isNamed: Bool)
  }

  enum Phase: Equatable, Sendable {
    /// The stored findings are not known yet.
    case loading
    /// This program owns the file and writes it.
    case keeping
    /// Nothing is stored, and no file is touched.
    case without
    /// The program cannot do its work, for this reason.
    case refused(String)
  }

  typealias Action = JournalEvent<KeptKey, KeptEntry>

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .loaded(let stored): state.loaded(stored)
    case .failed(let failure, _, _) where state.phase == .loading:
      state.cannotKeep("progress cannot be kept: \(failure.words)")
    case .saved, .savedPartly, .failed:
      state.backlog.reduce(action)
      if let failure = state.backlog.failure { state.note("progress was not saved: \(failure.words)") }
    }
  }

  /// Connects the effect to the feature's slice of a program.
  static func connect(to store: Store<State, Action>, storage: JournalStorage<KeptKey, KeptEntry>) {
    store.connect(JournalEffect(storage), to: \.backlog)
  }
}

extension Checkpoints.State {
  var isNamed: Bool {
    if case .file(_, isNamed: true) = place { true } else { false }
  }

  /// The reason why the program cannot do its work; `nil` if it can.
  var refusal: String? { if case .refused(let reason) = phase { reason } else { nil } }

  /// Whether the stored findings are known.
  var isReady: Bool { phase == .keeping || phase == .without }

  /// Whether this program owns the file, and may write and remove it.
  var isKeeping: Bool { phase == .keeping }

  /// Whether nothing more can be done to store findings.
  var isSettled: Bool { phase != .keeping || backlog.wanted == nil }

  /// Whether the newest findings would be lost if the program ended now.
  var isLosing: Bool { phase != .keeping || !backlog.isSaved }

  /// The number of findings in the file.
  var savedCount: Int { phase == .keeping ? max(0, count - backlog.unsavedCount) : 0 }

  /// Asks for a finding to be stored.
  mutating func keep(_ finding: Finding, at address: Address) {
    guard phase == .keeping else { return }
    count += 1
    backlog.set(.finding(finding, at: check.startedAt), for: .address(address))
  }

  /// Returns the stored findings, and removes them from the state.
  mutating func takeKept() -> KeptFindings {
    defer { kept = KeptFindings() }
    return kept
  }

  fileprivate mutating func loaded(_ stored: StoredEntries<KeptKey, KeptEntry>) {
    guard phase == .loading else { return }
    for file in stored.damaged { note("\(file.path) is damaged; it has been kept as \(file.setAsideAs)") }
    if case .check(let other)? = stored.entries[.check], other.target != check.target, !startsOver {
      cannotKeep("the progress file belongs to a check of \(other.target), not of \(check.target)")
      return
    }
    phase = .keeping
    backlog.reduce(.loaded(stored))
    if startsOver {
      for key in stored.entries.keys where key != .check { backlog.remove(key) }
    } else {
      kept = KeptFindings(stored.entries, for: check)
      count = kept.findings.count
    }
    if stored.entries[.check] != .check(check) { backlog.set(.check(check), for: .check) }
  }

  fileprivate mutating func cannotKeep(_ reason: String) {
    if isNamed {
      phase = .refused(reason)
    } else {
      phase = .without
      note(reason)
    }
  }

  fileprivate mutating func note(_ trouble: String) {
    if troubles.last != trouble { troubles.append(trouble) }
  }
}
