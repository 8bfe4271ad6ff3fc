/// A request of an effect and its identity without their static types, for a table of the requests of one effect.
///
/// The owner of the table knows the types, and uses them to read the request. The hash is computed once.
///
/// If the table's type depended on a type parameter, the runtime would look that type up at every use. An `AnyHashable`
/// searches for conformances each time one is made.
struct AskedRequest: Equatable, Sendable {
  /// The identity. A table compares only those of one effect.
  struct ID: Hashable, Sendable {
    fileprivate let box: AskedBox

    static func == (left: ID, right: ID) -> Bool {
      left.box === right.box || left.box.hash == right.box.hash && left.box.hasID(of: right.box)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box.hash) }
  }

  private let box: AskedBox

  init<Request: Hashable & Sendable>(_ request: Request, id: some Hashable & Sendable) {
    box = TypedAskedBox(request, id)
  }

  var id: ID { ID(box: box) }

  /// The request, for readers that do not know its type.
  var erased: any Hashable & Sendable { box.erased }

  /// The request, of the types that it was made with.
  func value<Request: Hashable & Sendable, ID: Hashable & Sendable>(as _: Request.Type, id _: ID.Type)
    -> Request
  {
    unsafeDowncast(box, to: TypedAskedBox<Request, ID>.self).request
  }

  /// Whether the requests are equal. A table compares only requests of one identity.
  static func == (left: AskedRequest, right: AskedRequest) -> Bool {
    left.box === right.box || left.box.hasRequest(of: right.box)
  }
}

private class AskedBox: @unchecked Sendable {  // immutable
  /// The hash of the identity.
  final let hash: Int

  init(hash: Int) { self.hash = hash }

  var erased: any Hashable & Sendable { preconditionFailure("every box is a TypedAskedBox") }

  // The other box has a request and an identity of the same types.

  func hasID(of other: AskedBox) -> Bool { false }
  func hasRequest(of other: AskedBox) -> Bool { false }
}

private final class TypedAskedBox<Request: Hashable & Sendable, ID: Hashable & Sendable>:
  AskedBox, @unchecked Sendable  // immutable
{
  let request: Request
  let id: ID

  init(_ request: Request, _ id: ID) {
    (self.request, self.id) = (request, id)
    super.init(hash: id.hashValue)
  }

  override var erased: any Hashable & Sendable { request }

  override func hasID(of other: AskedBox) -> Bool { id == unsafeDowncast(other, to: TypedAskedBox.self).id }
  override func hasRequest(of other: AskedBox) -> Bool {
    request == unsafeDowncast(other, to: TypedAskedBox.self).request
  }
}
