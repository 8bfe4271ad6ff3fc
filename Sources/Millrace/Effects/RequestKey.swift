/// A request, or an identity of one, without its type: so the tables of all effects are one and the same code, compiled
/// once. Code that is generic over the request would look up the type of each table and entry whenever it uses it.
struct RequestKey: Hashable, Sendable, CustomStringConvertible {
  let box: any ErasedRequest

  static func == (left: RequestKey, right: RequestKey) -> Bool {
    left.box === right.box || left.box.isEqual(to: right.box)
  }

  func hash(into hasher: inout Hasher) { box.hash(into: &hasher) }

  var description: String { String(reflecting: box.value) }
}

/// What a table needs of a request. Compared only with one of the same type.
protocol ErasedRequest: AnyObject, Sendable {
  func isEqual(to other: any ErasedRequest) -> Bool
  func hash(into hasher: inout Hasher)
  /// The request as it was given.
  var value: any Sendable & Hashable { get }
}

/// The place of one request on the heap.
final class RequestBox<Request: Hashable & Sendable>: ErasedRequest {
  let request: Request

  init(_ request: Request) { self.request = request }

  func isEqual(to other: any ErasedRequest) -> Bool {
    // A table holds requests of one effect, and identities of one effect.
    unsafeDowncast(other, to: RequestBox.self).request == request
  }

  func hash(into hasher: inout Hasher) { request.hash(into: &hasher) }

  var value: any Sendable & Hashable { request }
}
