import Foundation

/// The contents of a file, read without the program's types: the entries of a ``DurableOutbox``, the work of a
/// ``Ledger``, or the values of another journal.
///
/// ```swift
/// let work = try KeptWork(contentsOf: path)
/// print(work.text())
/// ```
///
/// Reading takes no lock and changes nothing, so it is possible while the program runs. ``ask(_:)`` asks the program
/// for a change. The command `millrace work` uses this type.
public struct KeptWork: Encodable, Hashable, Sendable {
  /// The kind of a file.
  @nonexhaustive public enum Kind: String, Encodable, Sendable {
    /// The journal of a ``DurableOutbox``.
    case outbox
    /// Any other journal.
    case journal
    /// A ``Ledger``.
    case ledger
  }

  /// A lane of an outbox.
  public struct Lane: Encodable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The number of entries whose receipt is not known, without rejected ones.
    public var waiting = 0
    /// The number of rejected entries.
    public var rejected = 0
    /// Whether no entry of the lane is delivered until it is resumed.
    public var isPaused = false
    /// When the oldest waiting entry was written.
    public var oldest: Date?
  }

  /// The path of the file.
  public let path: String
  /// The kind of the file.
  public internal(set) var kind: Kind
  /// The lanes of an outbox, by name.
  public internal(set) var lanes: [Lane] = []
  /// Everything in the file: the entries of an outbox in the order of delivery, the work that has begun and not ended,
  /// or values.
  public internal(set) var entries: [Entry] = []
  /// The number of ended works that a ledger remembers.
  public internal(set) var ended = 0
  /// The commands that the program has not taken up.
  public internal(set) var commands: [WorkCommand] = []
  /// The names of files in the command folder that are no commands. They stay there.
  public internal(set) var others: [String] = []
  /// The reason why entries may be missing; `nil` if the file is not damaged.
  public internal(set) var damage: String?

  /// Returns the entry with a key.
  public func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

  /// Returns the reason why a change is impossible in this file, such as an entry or a lane that does not exist; `nil`
  /// if it is possible.
  public func refusal(of change: WorkCommand.Change) -> String? {
    switch change {
    case .retry where kind == .ledger: return "whether work is attempted again is decided by the program"
    case .retry(let key), .dismiss(let key, _):
      return entry(key)?.condition ?? .kept == .kept ? "there is no work \(key)" : nil
    case .pause(let name), .resume(let name):
      let isNamed = "the lane \(name.debugDescription) is"
      guard var isPaused = lanes.first(where: { $0.name == name })?.isPaused else {
        return "\(isNamed) not there"
      }
      for command in commands where [.pause(lane: name), .resume(lane: name)].contains(command.change) {
        isPaused = command.change == .pause(lane: name)
      }
      if isPaused != (change == .pause(lane: name)) { return nil }
      return isPaused ? "\(isNamed) paused already" : "\(isNamed) not paused"
    }
  }

  /// Asks the program for a change, which the program makes when it takes up commands. Returns when the command is on
  /// disk.
  ///
  /// A ``DurableOutboxEffect`` made with `operated:` takes commands up within a second while it runs, and otherwise
  /// when it is connected. A ledger takes them up when it is first opened after a start of the program. Each change is
  /// made once, even if the program is killed meanwhile. A command for which there is nothing left to do is dropped.
  ///
  /// - Throws: the reason why the command is not on disk.
  public func ask(_ change: WorkCommand.Change) throws(StorageFailure) {
    guard try PosixDisk().identity(of: path) != nil else {
      throw .unreadable("there is no file: \(path)", errorNumber: ENOENT)
    }
    var change = change
    // The attempt that was seen, not a later one.
    if kind == .ledger, case .dismiss(let key, nil) = change {
      change = .dismiss(key, attempt: entry(key)?.attempts)
    }
    try CommandFolder(of: path).add(change)
  }
}

extension KeptWork {
  /// What is kept under one key.
  public struct Entry: Encodable, Hashable, Sendable, Identifiable {
    /// The condition of an entry.
    @nonexhaustive public enum Condition: String, Encodable, Sendable {
      /// The entry is delivered when it is the first of its lane and its moment, if any, has passed.
      case waiting
      /// The program holds the entry, until its moment or until it is released.
      case held
      /// The receiver has returned the entry, and the program decides what to do with it.
      case returned
      /// The receiver has rejected the entry.
      case rejected
      /// The work has begun and is not known to have ended. It is in progress, or it was interrupted if the program has
      /// ended.
      case begun
      /// The entry is a value.
      case kept
    }

    /// The name of the entry: an ``OutboxKey``, a ``LedgerKey``, or the key of a value as JSON.
    public let key: String
    /// The lane of an entry of an outbox; `nil` for any other entry.
    public internal(set) var lane: String?
    /// The condition of the entry.
    public internal(set) var condition = Condition.kept
    /// When it was written, if the file contains that.
    public internal(set) var written: Date?
    /// The number of attempts that have failed or were returned. For work in a ledger, the number of the attempt.
    public internal(set) var attempts = 0
    /// The description of the last failure, or the receiver's reason for a rejection.
    public internal(set) var failure: String?
    /// When the last attempt ended, or the status of the entry last changed for another reason.
    public internal(set) var changed: Date?
    /// The moment for which the entry waits; `nil` if it waits for none.
    public internal(set) var until: Date?
    let payload: AnyJSON

    init(_ key: String, _ payload: AnyJSON) { (self.key, self.payload) = (key, payload) }

    /// The payload as JSON.
    public var json: String { payload.json }
    /// The key.
    public var id: String { key }
  }
}
