/// A request of an effect and its identity without their static types, for a table of the requests of one effect. The
/// owner of the table knows the types, of which it has made each as a ``TypedRequest``.
///
/// If the table's type depended on a type parameter, the runtime would look that type up at every use. An `AnyHashable`
/// searches for conformances each time one is made.
class AskedRequest: Equatable, @unchecked Sendable {  // immutable
  /// The identity. A table compares only those of one effect.
  struct ID: Hashable, Sendable {
    fileprivate let asked: AskedRequest

    static func == (left: ID, right: ID) -> Bool {
      left.asked === right.asked || left.asked.hash == right.asked.hash && left.asked.hasID(of: right.asked)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(asked.hash) }
  }

  /// The hash of the identity, which is computed once.
  private let hash: Int

  fileprivate init(hash: Int) { self.hash = hash }

  final var id: ID { ID(asked: self) }
  /// The request, for readers that do not know its type.
  var erased: any Hashable & Sendable { preconditionFailure("every request is a TypedRequest") }

  // The other one has the same types.

  fileprivate func hasID(of other: AskedRequest) -> Bool { false }
  fileprivate func hasRequest(of other: AskedRequest) -> Bool { false }

  /// Whether the requests are equal. A table compares only requests of one identity.
  static func == (left: AskedRequest, right: AskedRequest) -> Bool {
    left === right || left.hasRequest(of: right)
  }
}

/// A request and its identity.
final class TypedRequest<Request: Hashable & Sendable, Identity: Hashable & Sendable>:
  AskedRequest, @unchecked Sendable  // immutable
{
  let request: Request
  private let identity: Identity

  init(_ request: Request, id: Identity) {
    (self.request, identity) = (request, id)
    super.init(hash: id.hashValue)
  }

  override var erased: any Hashable & Sendable { request }

  override func hasID(of other: AskedRequest) -> Bool {
    identity == unsafeDowncast(other, to: TypedRequest.self).identity
  }

  override func hasRequest(of other: AskedRequest) -> Bool {
    request == unsafeDowncast(other, to: TypedRequest.self).request
  }
}
