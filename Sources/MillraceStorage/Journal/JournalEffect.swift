import Millrace

/// Loads a journal, and appends to it what changes in the state from then on.
///
/// ```swift
/// store.connect(JournalEffect(storage), to: \.pages.backlog, action: AppAction.journal)
/// ```
///
/// The reducer takes in what came of it:
///
/// ```swift
/// case .journal(let event): state.pages.reduce(event)
/// ```
///
/// One write is under way at a time. What changes meanwhile waits and is written next, all of it at once. A write
/// that has begun is finished, also when the run is stopped. With `debounced(for:clock:)` or `throttled(…)` around
/// it, it writes less often.
///
/// A store that is being shut down starts no new runs, so its last changes may be left unsaved:
/// ``JournalStorage/flush(_:)`` sees to that afterwards.
public struct JournalEffect<Key: Hashable & Sendable, Value: Equatable & Sendable>: HandoverEffectComponent {
  /// What is not saved, and whether it is known what is stored.
  public typealias State = JournalBacklog<Key, Value>
  /// What came of it.
  public typealias Action = JournalEvent<Key, Value>
  /// What is wanted.
  public typealias Request = JournalRequest<Key, Value>
  /// One identity: there is one file.
  public typealias ID = Int
  /// Failures are sent as events, since the run goes on after them.
  public typealias Failure = Never

  private let storage: JournalStorage<Key, Value>

  /// Keeps a dictionary in `storage`.
  public init(_ storage: JournalStorage<Key, Value>) { self.storage = storage }

  /// One: there is one file.
  public func id(of request: JournalRequest<Key, Value>) -> Int { 0 }

  /// What is wanted, if anything.
  public func requests(in backlog: JournalBacklog<Key, Value>) -> Set<JournalRequest<Key, Value>> {
    backlog.wanted.map { [$0] } ?? []
  }

  /// Does what is wanted, again and again, until nothing is.
  public func run(
    following requests: RequestUpdates<JournalRequest<Key, Value>>, send: Send<JournalEvent<Key, Value>>
  ) async {
    var written: UInt64 = 0  // what the next request may hold again, if the state did not know it was written
    for await request in requests {
      switch request {
      case .load(let attempt):
        do throws(StorageFailure) {
          await send(.loaded(try await storage.load()))
        } catch {
          await send(.failed(error, generation: 0, attempt: attempt))
        }
      case .append(let append):
        do throws(StorageFailure) {
          try await storage.append(append.changes(after: written))
          written = append.generation
          await send(.saved(generation: append.generation))
        } catch {
          await send(.failed(error, generation: append.generation, attempt: append.attempt))
        }
      }
    }
  }
}

/// What a ``JournalEffect`` sends.
public enum JournalEvent<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// What is stored.
  case loaded(StoredEntries<Key, Value>)
  /// The changes up to this number are on the medium.
  case saved(generation: UInt64)
  /// Nothing was loaded or appended; what was stored before still is. The number is 0 for a load.
  case failed(StorageFailure, generation: UInt64, attempt: Int)
}
