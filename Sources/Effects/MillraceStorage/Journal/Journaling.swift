/// A dictionary in the state that a ``JournalEffect`` keeps in a file by writing only its changes.
///
/// ```swift
/// var pages = Journaling<Address, Page>()
/// pages[address] = page  // in the reducer: changes the entry and asks for it to be saved
/// pages.reduce(event)  // in the reducer: applies an event of the effect
/// ```
///
/// At first the stored entries are unknown, and nothing is saved until they have been loaded. Changes before that are
/// kept, and take precedence over the stored entries.
///
/// - Complexity: a change costs as much as one of a dictionary, and O(log n) with n unsaved changes. The dictionary is
///   changed in place while the effect is connected to `backlog` and nothing else holds a copy.
public struct Journaling<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// The unsaved changes: the slice to which a ``JournalEffect`` is connected.
  public private(set) var backlog = JournalBacklog<Key, Value>()
  /// The current entries, saved or not.
  public private(set) var entries: [Key: Value] = [:]
  /// The files that were found damaged when the journal was loaded.
  public private(set) var damaged: [DamagedFile] = []

  /// Makes an empty dictionary whose stored entries a connected ``JournalEffect`` will load.
  public init() {}

  /// Makes a dictionary in any condition, for tests.
  public init(backlog: JournalBacklog<Key, Value>, entries: [Key: Value], damaged: [DamagedFile] = []) {
    (self.backlog, self.entries, self.damaged) = (backlog, entries, damaged)
  }

  /// Whether all entries are on disk as they are now.
  public var isSaved: Bool { backlog.isSaved }
  /// Whether the stored entries have been loaded.
  public var isLoaded: Bool { backlog.isLoaded }
  /// The failure of the last load or append, if any.
  public var failure: StorageFailure? { backlog.failure }

  /// The entries as they are on disk. O(1) if all are saved, otherwise O(n).
  var stored: [Key: Value] {
    guard isLoaded else { return [:] }
    var stored = entries
    for (key, value) in backlog.onDisk { stored[key] = value }
    return stored
  }

  /// The value of a key. Setting an equal value is no change.
  public subscript(key: Key) -> Value? {
    get { entries[key] }
    set {
      let former = entries[key]
      guard former != newValue else { return }
      entries[key] = newValue
      backlog.change(key, to: newValue, from: former)
    }
  }

  /// Replaces all entries, and saves the differences.
  ///
  /// - Complexity: O(n), with one comparison for each entry. Strings, arrays and dictionaries that share memory with
  ///   the old value compare in O(1).
  public mutating func update(to new: [Key: Value]) {
    for (key, value) in new where entries[key] != value { backlog.change(key, to: value, from: entries[key]) }
    for (key, value) in entries where new[key] == nil { backlog.change(key, to: nil, from: value) }
    entries = new
  }

  /// Asks for the failed load or append again.
  public mutating func retry() { backlog.retry() }

  /// Applies an event of the ``JournalEffect``.
  public mutating func reduce(_ event: JournalEvent<Key, Value>) {
    if case .loaded(let stored) = event, !isLoaded {
      let changes = backlog.changes
      backlog.loaded(stored.entries)
      entries = stored.entries
      for (key, change) in changes { entries[key] = change.value }
      damaged += stored.damaged
    }
    backlog.reduce(event)
  }
}

extension Journaling: Hashable where Value: Hashable {}
extension Journaling: Codable where Key: Codable, Value: Codable {}
