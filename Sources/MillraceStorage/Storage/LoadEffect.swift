import Millrace

/// Loads a stored value when the state asks for it.
///
/// The state is the number of the attempt, from 1, or `nil` where nothing is to be loaded:
///
/// ```swift
/// store.connect(LoadEffect(storage), to: \.loadAttempt, action: AppAction.loading)
/// ```
public struct LoadEffect<Value: Equatable & Sendable>: EffectComponent {
  private let storage: FileStorage<Value>

  /// Loads from `storage`.
  public init(_ storage: FileStorage<Value>) { self.storage = storage }

  /// The attempt, if there is one.
  public func requests(in attempt: Int?) -> Set<Int> { attempt.map { [$0] } ?? [] }

  /// Loads once.
  public func run(_ attempt: Int, send: Send<LoadEvent<Value>>) async throws(StorageFailure) {
    await send(.loaded(try await storage.load()))
  }

  /// `.failed`
  public func action(for failure: StorageFailure, of attempt: Int) -> LoadEvent<Value> {
    .failed(failure, attempt: attempt)
  }
}

/// What a ``LoadEffect`` sends.
public enum LoadEvent<Value: Equatable & Sendable>: Equatable, Sendable {
  /// What was found.
  case loaded(StoredValue<Value>)
  /// Why it is not known what is stored.
  case failed(StorageFailure, attempt: Int)
}
