import LinkcheckReaders
import Millrace
import MillraceStorage

/// Keeps the findings in a file, so that a check that was broken off can go on.
enum Checkpoints {
  struct State: Equatable, Sendable {
    let place: Place
    /// The target of the check, and its settings.
    let check: KeptCheck
    /// Whether what was kept is of no interest.
    let startsOver: Bool
    fileprivate(set) var phase: Phase
    /// The changes that are not known to be in the file.
    fileprivate(set) var backlog = JournalBacklog<KeptKey, KeptEntry>()
    /// The kept findings, until they are taken.
    fileprivate var kept = KeptFindings()
    /// How many findings the file has, or is to have.
    private(set) var count = 0
    /// Lines for people, in their order: what was found damaged, why nothing can be kept.
    fileprivate(set) var troubles: [String] = []

    init(check: KeptCheck, place: Place, startsOver: Bool = false) {
      (self.check, self.place, self.startsOver) = (check, place, startsOver)
      phase = place == .nowhere ? .without : .loading
    }
  }

  enum Place: Equatable, Sendable {
    case nowhere
    /// A file. If it was named by the user, it is an error when it cannot be used.
    case file(String, isNamed: Bool)
  }

  enum Phase: Equatable, Sendable {
    /// It is not known yet what was kept.
    case loading
    /// The file is this program's to write, and nobody else's.
    case keeping
    /// Nothing is kept, and no file is touched.
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

  /// Why the program cannot do its work, if so.
  var refusal: String? { if case .refused(let reason) = phase { reason } else { nil } }

  /// Whether it is known what had been kept.
  var isReady: Bool { phase == .keeping || phase == .without }

  /// Whether the file is this program's, to write and to remove.
  var isKeeping: Bool { phase == .keeping }

  /// Whether nothing more can be done to keep what is known.
  var isSettled: Bool { phase != .keeping || backlog.wanted == nil }

  /// Whether the newest findings are lost when the program ends now.
  var isLosing: Bool { phase != .keeping || !backlog.isSaved }

  /// How many findings are in the file.
  var savedCount: Int { phase == .keeping ? max(0, count - backlog.unsavedCount) : 0 }

  /// Asks for a finding to be kept.
  mutating func keep(_ finding: Finding, at address: Address) {
    guard phase == .keeping else { return }
    count += 1
    backlog.set(.finding(finding, at: check.startedAt), for: .address(address))
  }

  /// Gives what was kept to whoever goes on from it, once.
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
