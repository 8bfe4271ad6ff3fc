import Millrace

/// Loads a stored value when the state asks for it.
///
/// The state is the request, or `nil` where nothing is to be loaded:
///
/// ```swift
/// store.connect(LoadEffect(storage), to: \.loading, action: AppAction.loading)
/// ```
public struct LoadEffect<Value: Equatable & Sendable>: EffectComponent {
  private let storage: FileStorage<Value>

  /// Loads from `storage`.
  public init(_ storage: FileStorage<Value>) { self.storage = storage }

  /// The request, if there is one.
  public func requests(in request: LoadRequest?) -> Set<LoadRequest> { request.map { [$0] } ?? [] }

  /// Loads once.
  public func run(_ request: LoadRequest, send: Send<LoadEvent<Value>>) async throws(StorageFailure) {
    await send(.loaded(try await storage.load()))
  }

  /// `.failed`
  public func action(for failure: StorageFailure, of request: LoadRequest) -> LoadEvent<Value> {
    .failed(failure, of: request)
  }
}

/// Asks for the stored value.
public struct LoadRequest: Hashable, Sendable {
  /// Which attempt this is, from 1. The next one is another request, which is served anew.
  public var attempt: Int

  /// Makes a request.
  public init(attempt: Int = 1) { self.attempt = attempt }
}

/// What a ``LoadEffect`` sends.
public enum LoadEvent<Value: Equatable & Sendable>: Equatable, Sendable {
  /// What was found.
  case loaded(StoredValue<Value>)
  /// Why it is not known what is stored.
  case failed(StorageFailure, of: LoadRequest)
}
