import Millrace

/// What a ``JournalBacklog`` asks for.
public enum JournalRequest<Key: Hashable & Sendable, Value: Equatable & Sendable>: Hashable, Sendable {
  /// To load what is stored.
  case load(attempt: Int)
  /// To append changes.
  case append(JournalAppend<Key, Value>)
}

/// Changes that are to be appended to a journal.
public struct JournalAppend<Key: Hashable & Sendable, Value: Equatable & Sendable>: Hashable, Sendable {
  /// The number of the newest of them.
  public let generation: UInt64
  /// Which attempt this is, from 1.
  public let attempt: Int
  private let changes: KeyedArray<NumberedChange<Key, Value>>

  init(_ changes: KeyedArray<NumberedChange<Key, Value>>, generation: UInt64, attempt: Int) {
    self.changes = changes
    self.generation = generation
    self.attempt = attempt
  }

  /// Makes a request, for tests that run a ``JournalEffect`` by hand. All changes have one number.
  public init(_ changes: [Key: JournalChange<Value>], generation: UInt64, attempt: Int = 1) {
    self.changes = KeyedArray(
      uniqueElements: changes.map { NumberedChange(id: $0.key, change: $0.value, generation: generation) })
    self.generation = generation
    self.attempt = attempt
  }

  /// Hashes the numbers alone, which identify the changes among those of one ``JournalBacklog``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(generation)
    hasher.combine(attempt)
  }

  /// The changes behind a number.
  func changes(after generation: UInt64) -> [(key: Key, change: JournalChange<Value>)] {
    changes.lazy.filter { $0.generation > generation }.map { ($0.id, $0.change) }
  }
}
