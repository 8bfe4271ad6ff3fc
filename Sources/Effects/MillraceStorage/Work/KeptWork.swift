import Foundation

/// What a program keeps in a file, read without the program's types: the entries of a ``DurableOutbox``, the work of a
/// ``Ledger``, or the values of another journal.
///
/// ```swift
/// let work = try KeptWork(contentsOf: path)
/// print(work.text())
/// ```
///
/// Reading takes no lock and changes nothing, so that it is possible while the program runs. A change is asked for by
/// ``ask(_:)``. The command `millrace work` is made of this type.
public struct KeptWork: Encodable, Hashable, Sendable {
  /// The kind of a file.
  @nonexhaustive public enum Kind: String, Codable, Sendable {
    /// The journal of a ``DurableOutbox``.
    case outbox
    /// Any other journal.
    case journal
    /// A ``Ledger``.
    case ledger
  }

  /// A lane of an outbox.
  public struct Lane: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// The number of entries that are not known to be received, without rejected ones.
    public var waiting = 0
    /// The number of rejected entries.
    public var rejected = 0
    /// Whether nothing of the lane is delivered until it is resumed.
    public var isPaused = false
    /// When the first of the waiting entries was written.
    public var oldest: Date?
  }

  /// The path of the file.
  public let path: String
  /// The kind of the file.
  public internal(set) var kind: Kind
  /// The lanes of an outbox, by name.
  public internal(set) var lanes: [Lane] = []
  /// Everything that is kept: the entries of an outbox in the order of delivery, work that has begun and not ended, values.
  public internal(set) var entries: [KeptEntry] = []
  /// How much of a ledger's remembered work has ended.
  public internal(set) var ended = 0
  /// What was asked for and is not taken up yet.
  public internal(set) var commands: [WorkCommand] = []
  /// The names of files among the commands that are none. They are left there.
  public internal(set) var others: [String] = []
  /// Why entries may be missing, if the file is damaged.
  public internal(set) var damage: String?

  /// The entry with a key.
  public func entry(_ key: String) -> KeptEntry? { entries.first { $0.key == key } }

  /// Says why a change makes no sense for this file, such as an entry or a lane that is not there; `nil` if it does.
  public func refusal(of change: WorkCommand.Change) -> String? {
    switch change {
    case .retry where kind == .ledger: return "whether work is attempted again is decided by the program"
    case .retry(let key), .dismiss(let key):
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

  /// Asks the program for a change, which it makes when it takes up commands. Returns when that is on disk.
  ///
  /// A ``DurableOutboxEffect`` made with `operated:` takes it up within a second while it runs, otherwise when it is
  /// connected; a ledger when it is opened for the first time in a life of the program. Each change is made once, also if
  /// the program is killed meanwhile. One for which there is nothing left to do then is dropped.
  ///
  /// - Throws: the reason why it is not on disk.
  public func ask(_ change: WorkCommand.Change) throws(StorageFailure) {
    guard try PosixDisk().identity(of: path) != nil else {
      throw .unreadable("there is no file: \(path)", errorNumber: ENOENT)
    }
    try CommandFolder(of: path).add(change)
  }
}

/// An entry of a ``KeptWork``.
public struct KeptEntry: Encodable, Hashable, Sendable, Identifiable {
  /// The condition of an entry.
  @nonexhaustive public enum Condition: String, Codable, Sendable {
    /// Delivered when it is the first of its lane and its moment, if any, has passed.
    case waiting
    /// Held by the program, until its moment or until it is released.
    case held
    /// Returned by its receiver; the program decides what becomes of it.
    case returned
    /// Rejected by its receiver.
    case rejected
    /// Work that has begun and is not known to have ended: in progress, or interrupted if the program has ended.
    case begun
    /// A value.
    case kept
  }

  /// The name of the entry: an ``OutboxKey``, a ``LedgerKey``, or the key of a value as JSON.
  public let key: String
  /// The lane, of an entry of an outbox.
  public internal(set) var lane: String?
  /// What is known of it.
  public internal(set) var condition = Condition.kept
  /// When it was written, where the file says so.
  public internal(set) var written: Date?
  /// How many attempts have failed or were returned; of work in a ledger, the number of the attempt.
  public internal(set) var attempts = 0
  /// The description of the last failure, or the receiver's reason for a rejection.
  public internal(set) var failure: String?
  /// When the last attempt ended, or what is known of the entry was changed in another way.
  public internal(set) var changed: Date?
  /// The moment for which it waits.
  public internal(set) var until: Date?
  let payload: AnyJSON

  init(_ key: String, _ payload: AnyJSON) { (self.key, self.payload) = (key, payload) }

  /// The payload, as JSON.
  public var json: String { payload.text }
  /// The key.
  public var id: String { key }
}
