import Millrace

/// Loads a journal, and appends the changes of the state to it from then on.
///
/// ```swift
/// store.connect(JournalEffect(storage), to: \.pages.backlog, action: AppAction.journal)
/// ```
///
/// The reducer applies its events:
///
/// ```swift
/// case .journal(let event): state.pages.reduce(event)
/// ```
///
/// One write is in progress at a time. The changes during a write are written together in the next one. A write in
/// progress is completed even if the run is stopped; a write that has not begun is then not made. To write less often,
/// put `debounced(for:)` or `throttled(…)` around the effect.
///
/// A store that is shutting down starts no new runs, so its last changes may be unsaved: call
/// ``JournalStorage/flush(_:)`` afterwards.
public struct JournalEffect<Key: Hashable & Sendable, Value: Equatable & Sendable>: HandoverEffectComponent {
  /// The unsaved changes, and whether the stored entries have been loaded.
  public typealias State = JournalBacklog<Key, Value>
  /// The events of the effect.
  public typealias Action = JournalEvent<Key, Value>
  /// A load or an append.
  public typealias Request = JournalRequest<Key, Value>
  /// There is one identity, since there is one file.
  public typealias ID = Int
  /// Failures are sent as events, since the run goes on after them.
  public typealias Failure = Never

  private let storage: JournalStorage<Key, Value>

  /// Makes an effect that saves to `storage`.
  public init(_ storage: JournalStorage<Key, Value>) { self.storage = storage }

  /// Returns the one identity.
  public func id(of request: JournalRequest<Key, Value>) -> Int { 0 }

  /// Returns the request of the backlog, if there is one.
  public func requests(in backlog: JournalBacklog<Key, Value>) -> Set<JournalRequest<Key, Value>> {
    backlog.wanted.map { [$0] } ?? []
  }

  /// Serves requests of the backlog until there are none.
  public func run(
    following requests: RequestUpdates<JournalRequest<Key, Value>>, send: Send<JournalEvent<Key, Value>>
  ) async {
    var written: UInt64 = 0  // The state asks again until it knows of this write.
    for await request in requests {
      let event: JournalEvent<Key, Value>
      switch request {
      case .load(let attempt):
        do throws(StorageFailure) {
          event = .loaded(try await storage.load())
        } catch {
          event = .failed(error, generation: 0, attempt: attempt)
        }
      case .append(let append):
        let changes = append.changes(after: written)
        do throws(StorageFailure) {
          do throws(StorageFailure) {
            let appended: Void? = try await storage.files.performUnlessCancelled {
              files throws(StorageFailure) in try files.append(changes)
            }
            guard appended != nil else { return }
            event = .saved(generation: append.generation)
          } catch {
            guard case .notEncodable = error else { throw error }
            let others = try await storage.files.perform { files throws(StorageFailure) in
              try files.appendEncodable(changes)
            }
            event = .savedPartly(generation: append.generation, without: others, error)
          }
          written = append.generation
        } catch {
          event = .failed(error, generation: append.generation, attempt: append.attempt)
        }
      }
      guard await send(event) == .reduced else { return }
    }
  }
}

/// An event of a ``JournalEffect``.
public enum JournalEvent<Key: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// The stored entries were loaded.
  case loaded(StoredEntries<Key, Value>)
  /// The changes up to this number are on disk.
  case saved(generation: UInt64)
  /// The changes up to this number are on disk but for those of some keys, which cannot be encoded.
  case savedPartly(generation: UInt64, without: [Key], StorageFailure)
  /// A load or an append failed; what was stored before is unchanged. The generation of a load is 0.
  case failed(StorageFailure, generation: UInt64, attempt: Int)
}

extension JournalEvent: Hashable where Value: Hashable {}
extension JournalEvent: Codable where Key: Codable, Value: Codable {}
