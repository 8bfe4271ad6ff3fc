import Millrace
import MillraceEffects

/// What is kept of a check between two runs of the program.
struct Checkpoint: Equatable, Sendable, Codable {
  /// What is being checked.
  var target: String
  var findings: [Address: Finding] = [:]
}

/// Keeps the findings in a file, so that a check that was broken off can go on.
enum Checkpoints {
  struct State: Equatable, Sendable {
    let place: Place
    /// Whether what was kept is of no interest.
    let startsOver: Bool
    /// The attempt at loading that is to be made.
    fileprivate(set) var loadAttempt: Int?
    fileprivate(set) var saving: Saving<Checkpoint>
    /// How many findings those generations have that are not known to be stored.
    fileprivate var counts: [UInt64: Int] = [:]
    /// How many findings are stored.
    fileprivate(set) var savedCount = 0
    /// Whether it is known what had been kept.
    fileprivate(set) var isReady = false
    /// Why progress cannot be kept, for people.
    fileprivate(set) var trouble: String?
    /// Whether the file is this program's to write.
    fileprivate var isWritable = false

    init(target: String, place: Place, startsOver: Bool = false) {
      self.place = place
      self.startsOver = startsOver
      saving = Saving(Checkpoint(target: target))
      if place == .nowhere { isReady = true } else { loadAttempt = 1 }
    }
  }

  enum Place: Equatable, Sendable {
    case nowhere
    /// A file. If it was named by the user, it is an error when it cannot be used.
    case file(String, isNamed: Bool)
  }

  enum Action: Equatable, Sendable {
    case loading(LoadEvent<Checkpoint>)
    case saving(StorageEvent)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .loading(.loaded(let stored)): state.loaded(stored)
    case .loading(.failed(let failure, _)):
      state.loadAttempt = nil
      state.trouble = "progress cannot be kept: \(failure.words)"
      state.isReady = !state.isNamed
    case .saving(let event):
      state.received(event)
    }
  }

  /// Connects the effects to the feature's slice of a program.
  static func connect(to store: Store<State, Action>, storage: FileStorage<Checkpoint>) {
    store.connect(LoadEffect(storage), to: \.loadAttempt, action: Action.loading)
    store.connect(StorageEffect(storage), to: \.saving, action: Action.saving)
  }
}

extension Checkpoints.State {
  var isNamed: Bool {
    if case .file(_, isNamed: true) = place { true } else { false }
  }

  /// Why the program cannot do its work, if so.
  var refusal: String? { isReady || loadAttempt != nil ? nil : trouble }

  /// Whether nothing more can be done to keep what is known.
  var isSettled: Bool { saving.wanted == nil }

  /// Whether the newest findings are lost when the program ends now.
  var isLosing: Bool { !saving.isSaved }

  /// Asks for the findings to be kept, if they are more than those that were kept last.
  ///
  /// A save writes all of them. Unless it is urgent, it waits for the findings to grow by a fiftieth, so that
  /// the work of saving stays in proportion.
  mutating func keep(_ findings: [Address: Finding], isUrgent: Bool) {
    let growth = findings.count - saving.value.findings.count
    guard isWritable, growth > (isUrgent ? 0 : findings.count / 50) else { return }
    saving.save { $0.findings = findings }
    counts[saving.generation] = findings.count
  }

  fileprivate mutating func received(_ event: StorageEvent) {
    saving.received(event)
    if case .saved(let generation, _) = event {
      savedCount = max(savedCount, counts[generation] ?? 0)
      counts = counts.filter { $0.key > generation }
    }
    if let failure = saving.failure { trouble = "progress was not saved: \(failure.words)" }
  }

  fileprivate mutating func loaded(_ stored: StoredValue<Checkpoint>) {
    loadAttempt = nil
    let target = saving.value.target
    var stored = stored
    if startsOver {
      stored.value = Checkpoint(target: target)
    } else if stored.value == nil, let damaged = stored.damaged.first {
      trouble = "\(damaged.path) is damaged or no progress file; it has been kept as \(damaged.setAsideAs)"
      return
    }
    if let value = stored.value, value.target != target {
      trouble = "the progress file belongs to a check of \(value.target), not of \(target)"
      return
    }
    saving = Saving(stored, or: Checkpoint(target: target))
    savedCount = saving.value.findings.count
    (isReady, isWritable) = (true, true)
  }
}

extension StorageFailure {
  /// For people.
  var words: String {
    switch self {
    case .noSuchFolder(let path): "no such folder: \(path)"
    case .isDirectory(let path): "is a folder: \(path)"
    case .permission(let path): "not permitted: \(path)"
    case .diskFull(let path): "no space left on device: \(path)"
    case .locked(let path): "in use by another process: \(path)"
    case .newerVersion: "written by a newer version of this program"
    case .foreignFile(let path): "is no progress file: \(path)"
    case .notMigratable(let path, let version, _):
      "of version \(version), which this program cannot read: \(path)"
    case .notEncodable(let message): message
    case .unreadable(let message, _): message
    }
  }
}
