import Millrace

/// Loads a stored value when the state asks for it.
///
/// The effect's state is the request, or `nil` if nothing is to be loaded:
///
/// ```swift
/// store.connect(LoadEffect(storage), to: \.loading, action: AppAction.loading)
/// ```
public struct LoadEffect<Value: Equatable & Sendable>: EffectComponent {
  private let storage: FileStorage<Value>

  /// Makes an effect that loads from `storage`.
  public init(_ storage: FileStorage<Value>) { self.storage = storage }

  /// Returns the request, if there is one.
  public func requests(in request: LoadRequest?) -> Set<LoadRequest> { request.map { [$0] } ?? [] }

  /// Loads the value once.
  public func run(_ request: LoadRequest, send: Send<LoadEvent<Value>>) async throws(StorageFailure) {
    await send(.loaded(try await storage.load()))
  }

  /// Returns ``LoadEvent/failed(_:of:)``.
  public func action(for failure: StorageFailure, of request: LoadRequest) -> LoadEvent<Value> {
    .failed(failure, of: request)
  }
}

/// A request for the stored value.
public struct LoadRequest: Codable, Hashable, Sendable {
  /// The number of the attempt, from 1. A request with the next number loads again.
  public var attempt: Int

  /// Makes a request.
  public init(attempt: Int = 1) { self.attempt = attempt }
}

/// An event of a ``LoadEffect``.
public enum LoadEvent<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value was loaded, or there is none.
  case loaded(StoredValue<Value>)
  /// Loading failed, so it is unknown what is stored.
  case failed(StorageFailure, of: LoadRequest)
}

extension LoadEvent: Hashable where Value: Hashable {}
extension LoadEvent: Codable where Value: Codable {}
