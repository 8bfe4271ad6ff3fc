import Millrace

/// Saves a ``Saving`` of the state to a file whenever it changes.
///
/// ```swift
/// store.connect(StorageEffect(storage), to: \.notes, action: AppAction.storage)
/// ```
///
/// The reducer applies its events:
///
/// ```swift
/// case .storage(let event): state.notes.reduce(event)
/// ```
///
/// One write is in progress at a time. The newest value is written next; values in between are not written. A value
/// that the state takes back before its write begins is not written either. A write in progress is completed even if
/// the run is stopped. To delete what is stored, see ``FileStorage/remove()``.
///
/// A store that is shutting down starts no new runs, so its last change may be unsaved: call
/// ``FileStorage/flush(_:)`` afterwards.
public struct StorageEffect<Value: Equatable & Sendable>: HandoverEffectComponent {
  /// The value, and the progress of its saves.
  public typealias State = Saving<Value>
  /// The events of the effect.
  public typealias Action = StorageEvent
  /// A save.
  public typealias Request = SaveRequest<Value>
  /// There is one identity, since there is one file.
  public typealias ID = Int
  /// Failures are sent as events, since the run goes on after them.
  public typealias Failure = Never

  private let storage: FileStorage<Value>

  /// Makes an effect that saves to `storage`.
  public init(_ storage: FileStorage<Value>) { self.storage = storage }

  /// Returns the one identity.
  public func id(of request: SaveRequest<Value>) -> Int { 0 }

  /// Returns the save that the state asks for, if any.
  public func requests(in saving: Saving<Value>) -> Set<SaveRequest<Value>> {
    saving.wanted.map { [$0] } ?? []
  }

  /// Writes the newest value until there is nothing to save.
  public func run(
    following requests: RequestUpdates<SaveRequest<Value>>, send: Send<StorageEvent>
  ) async {
    for await request in requests {
      // The state may have taken the value back before this line, and may do so until the write begins.
      guard await send(.began(generation: request.generation)) == .reduced else { return }
      let event: StorageEvent
      do throws(StorageFailure) {
        let saved: Void? = try await storage.files.performUnlessCancelled { files throws(StorageFailure) in
          try files.save(request.value, generation: request.generation)
        }
        guard saved != nil else { return }
        event = .saved(generation: request.generation)
      } catch {
        event = .failed(error, generation: request.generation, attempt: request.attempt)
      }
      guard await send(event) == .reduced else { return }
    }
  }
}

/// An event of a ``StorageEffect``.
public enum StorageEvent: Codable, Hashable, Sendable {
  /// The value with this number is about to be written. The state keeps that value until the result is known, so that
  /// it knows what is on disk.
  case began(generation: UInt64)
  /// The value with this number is on disk.
  case saved(generation: UInt64)
  /// The value with this number was not saved; what was stored before is unchanged.
  case failed(StorageFailure, generation: UInt64, attempt: Int)
}
