import Millrace

/// Keeps a ``Saving`` of the state in a file.
///
/// ```swift
/// store.connect(StorageEffect(storage), to: \.notes, action: AppAction.storage)
/// ```
///
/// The reducer takes in what came of it:
///
/// ```swift
/// case .storage(let event): state.notes.reduce(event)
/// ```
///
/// One write is under way at a time. Values that come meanwhile wait, and the newest of them is written next;
/// those between are never written. A write that has begun is finished, also when the run is stopped.
///
/// A store that is being shut down starts no new runs, so its last change may be left unsaved:
/// ``FileStorage/flush(_:)`` sees to that afterwards.
public struct StorageEffect<Value: Equatable & Sendable>: HandoverEffectComponent {
  /// The value, with what is known of its saves.
  public typealias State = Saving<Value>
  /// What came of a save.
  public typealias Action = StorageEvent
  /// A save that is wanted.
  public typealias Request = SaveRequest<Value>
  /// One identity: there is one file.
  public typealias ID = Int
  /// Failures are sent as events, since the run goes on after them.
  public typealias Failure = Never

  private let storage: FileStorage<Value>

  /// Saves to `storage`.
  public init(_ storage: FileStorage<Value>) { self.storage = storage }

  /// One: there is one file.
  public func id(of request: SaveRequest<Value>) -> Int { 0 }

  /// The save that is wanted, if any.
  public func requests(in saving: Saving<Value>) -> Set<SaveRequest<Value>> {
    saving.wanted.map { [$0] } ?? []
  }

  /// Writes the newest value, again and again, until nothing is wanted.
  public func run(
    following requests: RequestUpdates<SaveRequest<Value>>, send: Send<StorageEvent>
  ) async {
    for await request in requests {
      do throws(StorageFailure) {
        try await storage.save(request.value, generation: request.generation)
        await send(.saved(generation: request.generation))
      } catch {
        await send(.failed(error, generation: request.generation, attempt: request.attempt))
      }
    }
  }
}

/// What a ``StorageEffect`` sends.
public enum StorageEvent: Hashable, Sendable {
  /// The value of a generation is on the medium.
  case saved(generation: UInt64)
  /// The value of a generation is not stored; what was stored before still is.
  case failed(StorageFailure, generation: UInt64, attempt: Int)
}
