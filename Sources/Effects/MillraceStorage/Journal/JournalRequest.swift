import Millrace

/// A request of a ``JournalBacklog``.
public enum JournalRequest<Key: Hashable & Sendable, Value: Equatable & Sendable>: Hashable, Sendable {
  /// Load the stored entries.
  case load(attempt: Int)
  /// Append changes.
  case append(JournalAppend<Key, Value>)
}

/// Changes to append to a journal.
public struct JournalAppend<Key: Hashable & Sendable, Value: Equatable & Sendable>: Hashable, Sendable {
  /// The number of the newest change.
  public let generation: UInt64
  /// The number of the attempt, from 1.
  public let attempt: Int
  private let changes: KeyedArray<NumberedChange<Key, Value>>

  /// Makes a request, for tests that call a ``JournalEffect`` without a store. All changes have the same number.
  public init(_ changes: [Key: JournalChange<Value>], generation: UInt64, attempt: Int = 1) {
    self.changes = KeyedArray(
      uniqueElements: changes.map { NumberedChange(id: $0.key, change: $0.value, generation: generation) })
    self.generation = generation
    self.attempt = attempt
  }

  /// Makes a request of numbered changes, in the order of their numbers, for tests.
  public init(generation: UInt64, attempt: Int, changes: KeyedArray<NumberedChange<Key, Value>>) {
    (self.generation, self.attempt, self.changes) = (generation, attempt, changes)
  }

  /// Hashes only the numbers, which identify the changes within one ``JournalBacklog``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(attempt)
  }

  /// The changes with a higher number than this one.
  func changes(after generation: UInt64) -> [(key: Key, change: JournalChange<Value>)] {
    changes.lazy.filter { $0.generation > generation }.map { ($0.id, $0.change) }
  }
}
