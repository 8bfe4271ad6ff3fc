/// A dictionary in the state that is kept in a file by a ``JournalEffect``, which writes what changes and not the
/// whole.
///
/// ```swift
/// var pages = Journaling<Address, Page>()
/// pages[address] = page  // in the reducer: changes the entry and asks for it to be saved
/// pages.reduce(event)  // in the reducer: what came of it
/// ```
///
/// It begins without knowing what is stored, and nothing is saved until it does. What is changed before that is
/// kept: the stored entries are taken over beside it.
///
/// - Complexity: a change costs one in a dictionary, and O(log n) with n changes that are not saved. The dictionary
///   is changed in place as long as the effect is connected to `backlog` and nobody else holds a copy.
public struct Journaling<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// What is not saved: the slice to connect a ``JournalEffect`` to.
  public private(set) var backlog = JournalBacklog<Key, Value>()
  /// The entries as they are now, saved or not.
  public private(set) var entries: [Key: Value] = [:]
  /// The files that were found damaged when the journal was loaded.
  public private(set) var damaged: [DamagedFile] = []

  /// Nothing is known to be stored, and a connected ``JournalEffect`` is asked to load.
  public init() {}

  /// Whether the medium has all entries as they are now.
  public var isSaved: Bool { backlog.isSaved }
  /// Whether it is known what is stored.
  public var isLoaded: Bool { backlog.isLoaded }
  /// Why nothing was loaded, or appended, the last time.
  public var failure: StorageFailure? { backlog.failure }

  /// The value of a key. To set what is there already is no change.
  public subscript(key: Key) -> Value? {
    get { entries[key] }
    set {
      guard entries[key] != newValue else { return }
      entries[key] = newValue
      if let newValue { backlog.set(newValue, for: key) } else { backlog.remove(key) }
    }
  }

  /// Makes these the entries. What differs from those before is saved.
  ///
  /// - Complexity: O(n), with one comparison for each entry; where a value of old shares its memory with the new
  ///   one, strings, arrays and dictionaries compare at once.
  public mutating func update(to new: [Key: Value]) {
    for (key, value) in new where entries[key] != value { backlog.set(value, for: key) }
    for key in entries.keys where new[key] == nil { backlog.remove(key) }
    entries = new
  }

  /// Asks again for what failed.
  public mutating func retry() { backlog.retry() }

  /// Takes in what a ``JournalEffect`` sent.
  public mutating func reduce(_ event: JournalEvent<Key, Value>) {
    if case .loaded(let stored) = event, !isLoaded {
      let changes = backlog.changes
      entries = stored.entries
      for (key, change) in changes { entries[key] = change.value }
      damaged += stored.damaged
    }
    backlog.reduce(event)
  }
}
