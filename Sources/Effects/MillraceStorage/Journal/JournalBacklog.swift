import Millrace

/// The changes of a dictionary that are not known to be saved in its journal.
///
/// A ``JournalEffect`` is connected to the backlog, and not to the dictionary, so that the store keeps no copy of the
/// dictionary. A ``Journaling`` contains one. A feature that keeps its dictionary elsewhere keeps a backlog itself:
/// ```swift
/// var pages: [Address: Page] = [:]
/// var unsaved = JournalBacklog<Address, Page>()
/// pages[address] = page
/// unsaved.set(page, for: address)  // in the reducer, beside the change
/// unsaved.reduce(event)  // in the reducer: applies an event of the effect
/// ```
///
/// Nothing is appended before ``JournalEvent/loaded(_:)`` reports what is stored.
///
/// - Complexity: O(log n) for each change, with n unsaved changes; O(1) for a copy.
public struct JournalBacklog<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// The number of the newest change; each change increases it by one.
  public private(set) var generation: UInt64 = 0
  /// The number of the newest change that is known to be on disk, with all changes before it.
  public private(set) var savedGeneration: UInt64 = 0
  /// The number of the attempt, from 1.
  public private(set) var attempt = 1
  /// Whether the stored entries have been loaded.
  public private(set) var isLoaded = false
  /// The failure of the last load or append. Nothing more is tried until something changes or `retry()` is called.
  public private(set) var failure: StorageFailure?
  /// The unsaved changes, in the order of their numbers.
  private var unsaved = KeyedArray<NumberedChange<Key, Value>>()

  /// Makes a backlog without changes. The stored entries are not loaded yet.
  public init() {}

  /// Makes a backlog in any condition, for tests.
  ///
  /// - Parameter unsaved: the changes that are not known to be on disk, in the order of their numbers.
  public init(
    generation: UInt64, savedGeneration: UInt64, attempt: Int = 1, isLoaded: Bool,
    failure: StorageFailure? = nil, unsaved: KeyedArray<NumberedChange<Key, Value>>
  ) {
    (self.generation, self.savedGeneration, self.attempt) = (generation, savedGeneration, attempt)
    (self.isLoaded, self.failure, self.unsaved) = (isLoaded, failure, unsaved)
  }

  /// Whether all changes are on disk.
  public var isSaved: Bool { savedGeneration == generation }

  /// The number of keys with changes that are not known to be on disk.
  public var unsavedCount: Int { unsaved.count }

  /// The changes that are not known to be on disk.
  public var changes: [Key: JournalChange<Value>] {
    Dictionary(uniqueKeysWithValues: unsaved.lazy.map { ($0.id, $0.change) })
  }

  /// The request for the effect, if there is anything to load or append.
  public var wanted: JournalRequest<Key, Value>? {
    if failure != nil { return nil }
    if !isLoaded { return .load(attempt: attempt) }
    return isSaved ? nil : .append(append())
  }

  /// Records a change of a key from the value `former`. Until a write is confirmed, the file may contain `former` or
  /// any later value.
  mutating func change(_ key: Key, to value: Value?, from former: Value?) {
    var earlier = [NumberedChange(id: key, change: JournalChange(former), generation: 0)]
    if let last = unsaved[id: key] {
      // A failure means that no write is in progress.
      let onDisk = failure == nil ? nil : last.onDisk(at: savedGeneration)
      earlier = onDisk.map { [$0.alone] } ?? last.earlier + [last.alone]
      while earlier.count > 1, earlier[1].generation <= savedGeneration { earlier.removeFirst() }
      // Each change copies the array of earlier changes. Beyond 255, they move into a shared array, so that the next
      // copy is short.
      if earlier.count > 255, let newest = earlier.popLast() {
        earlier = [
          NumberedChange(id: key, change: newest.change, generation: newest.generation, earlier: earlier)
        ]
      }
    }
    changed(JournalChange(value), key, earlier)
  }

  /// Records the values on disk of the keys with unsaved changes.
  mutating func loaded(_ entries: [Key: Value]) {
    for change in unsaved {
      let onDisk = NumberedChange(id: change.id, change: JournalChange(entries[change.id]), generation: 0)
      unsaved[id: change.id] = NumberedChange(
        id: change.id, change: change.change, generation: change.generation, earlier: [onDisk])
    }
  }

  /// The values on disk of the keys with unsaved changes.
  var onDisk: [(key: Key, value: Value?)] {
    unsaved.map { ($0.id, $0.onDisk(at: savedGeneration)?.change.value) }
  }

  /// Records that the key has this value.
  public mutating func set(_ value: Value, for key: Key) { changed(.set(value), key) }

  /// Records that the key was removed.
  public mutating func remove(_ key: Key) { changed(.removed, key) }

  /// Asks for the failed load or append again.
  public mutating func retry() {
    guard failure != nil else { return }
    failure = nil
    attempt += 1
  }

  /// Applies an event of the ``JournalEffect``.
  public mutating func reduce(_ event: JournalEvent<Key, Value>) {
    switch event {
    case .loaded: (isLoaded, failure) = (true, nil)
    case .saved(let generation): saved(generation)
    case .savedPartly(let generation, let keys, let failure):
      let isNewest = generation == self.generation
      for key in keys {
        guard let change = unsaved[id: key] else { continue }
        // The append left this change out, so its value is not on disk.
        var earlier = change.onDisk(at: savedGeneration).map { [$0.alone] } ?? []
        if change.generation <= generation {
          changed(change.change, key, earlier)
        } else {
          earlier += change.earlier.filter { $0.generation > generation }.map(\.alone)
          unsaved[id: key] = NumberedChange(
            id: key, change: change.change, generation: change.generation, earlier: earlier)
        }
      }
      saved(generation)
      if isNewest { self.failure = failure }
    case .failed(let failure, let generation, let attempt):
      // The file is not the one that was loaded.
      if case .notLoaded = failure { isLoaded = false }
      guard generation == self.generation || !isLoaded, attempt == self.attempt else { return }
      self.failure = failure
    }
  }

  private mutating func changed(
    _ change: JournalChange<Value>, _ key: Key, _ earlier: [NumberedChange<Key, Value>] = []
  ) {
    generation += 1
    unsaved.remove(id: key)
    unsaved.append(NumberedChange(id: key, change: change, generation: generation, earlier: earlier))
    if isLoaded { (failure, attempt) = (nil, 1) }
  }

  private mutating func saved(_ generation: UInt64) {
    savedGeneration = max(savedGeneration, min(generation, self.generation))
    if isSaved {
      unsaved = KeyedArray()
    } else {
      while let first = unsaved.first, first.generation <= savedGeneration { unsaved.remove(id: first.id) }
    }
  }

  /// Whether a change of the key is not known to be on disk.
  func isUnsaved(_ key: Key) -> Bool { unsaved[id: key] != nil }

  /// The keys whose unsaved change has at most this number.
  func keys(upTo generation: UInt64) -> [Key] {
    unsaved.prefix { $0.generation <= generation }.map(\.id)
  }

  func append() -> JournalAppend<Key, Value> {
    JournalAppend(generation: generation, attempt: attempt, changes: unsaved)
  }
}

extension JournalBacklog: Hashable where Value: Hashable {}
extension JournalBacklog: Codable where Key: Codable, Value: Codable {}

/// A change with its number among those of one ``JournalBacklog``.
public struct NumberedChange<Key: Hashable & Sendable, Value: Equatable & Sendable>: Identifiable, Equatable,
  Sendable
{
  /// The key whose value is changed.
  public let id: Key
  /// The change.
  public let change: JournalChange<Value>
  /// The number of the change.
  public let generation: UInt64
  /// The changes of this key that may be on disk instead, oldest first. The first one may be the value before all
  /// unsaved changes. Only a ``Journaling`` records them. Of more than 255, the first contains those before it in its
  /// own `earlier`.
  public let earlier: [NumberedChange]

  /// Makes a change, for tests.
  public init(id: Key, change: JournalChange<Value>, generation: UInt64, earlier: [NumberedChange] = []) {
    (self.id, self.change, self.generation, self.earlier) = (id, change, generation, earlier)
  }

  fileprivate var alone: NumberedChange { NumberedChange(id: id, change: change, generation: generation) }

  /// The newest of the earlier changes with at most this number. That change is on disk if all changes up to the number
  /// are.
  fileprivate func onDisk(at generation: UInt64) -> NumberedChange? {
    var earlier = earlier
    while let first = earlier.first, first.generation > generation { earlier = first.earlier }
    return earlier.last { $0.generation <= generation }
  }
}

extension NumberedChange: Hashable where Value: Hashable {}
extension NumberedChange: Codable where Key: Codable, Value: Codable {}

extension JournalBacklog where Value: Identifiable, Key == Value.ID {
  /// Records the differences between two versions of a collection whose elements are the entries.
  ///
  /// ```swift
  /// let before = rows
  /// rows[id: 3]?.title = "changed"
  /// unsaved.record(from: before, to: rows)
  /// ```
  ///
  /// The order of the elements is not saved.
  ///
  /// - Complexity: O(d log n) for d elements that differ in membership, position or content, if one version was made
  ///   from the other.
  public mutating func record(from old: KeyedArray<Value>, to new: KeyedArray<Value>) {
    new.forEachChange(since: old) { change in
      switch change {
      case .inserted(let element), .updated(_, let element): set(element, for: element.id)
      case .removed(let element): remove(element.id)
      }
    }
  }
}
