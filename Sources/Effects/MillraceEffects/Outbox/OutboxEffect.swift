import Millrace

/// Serves the entries of an ``Outbox``, each at most once.
///
/// ```swift
/// store.connect(
///   OutboxEffect<String> { toast in try await screen.show(toast) }, to: \.toasts, action: AppAction.toasts)
/// ```
///
/// An entry is claimed in the state before it is served. If its run is stopped, by disconnecting or by the end of the
/// program, the entry is not served again: it fails as `interrupted` when an effect is connected to the outbox again.
/// Connect only one such effect to an outbox at a time.
public struct OutboxEffect<Element: Hashable & Sendable>: HandoverEffectComponent {
  /// The outbox to serve.
  public typealias State = Outbox<Element>
  /// The actions that report the progress of entries.
  public typealias Action = Outbox<Element>.Action

  /// The order in which entries are served.
  public enum Order: Hashable, Sendable {
    /// One after the other, oldest first. After a failure, the next entry is served.
    case inOrder
    /// At most `limit` at once, oldest first.
    case sideBySide(limit: Int)
  }

  /// The request to serve one entry.
  public struct Request: Hashable, Sendable {
    let entry: Outbox<Element>.ID
    let element: Element
    let claim: UInt64?

    /// Makes a request, for tests.
    ///
    /// - Parameter claim: the claim of the run that began the entry; `nil` if none has.
    public init(entry: Outbox<Element>.ID, element: Element, claim: UInt64?) {
      (self.entry, self.element, self.claim) = (entry, element, claim)
    }
  }

  private let order: Order
  private let serve: @Sendable (Element) async throws -> Void

  /// Makes an effect that calls `serve` with each entry, in a task of its own, which is cancelled when the entry is
  /// discarded. The description of an error that `serve` throws is kept with the entry.
  public init(_ order: Order = .inOrder, serve: @escaping @Sendable (Element) async throws -> Void) {
    self.order = order
    self.serve = serve
  }

  /// Returns the identity of the entry.
  public func id(of request: Request) -> Outbox<Element>.ID { request.entry }

  /// Returns requests for the entries that are to be served now.
  public func requests(in outbox: State) -> Set<Request> {
    let limit =
      switch order {
      case .inOrder: 1
      case .sideBySide(let limit): max(1, limit)
      }
    return Set(outbox.entries.lazy.compactMap(Self.request).prefix(limit))
  }

  private static func request(_ entry: Outbox<Element>.Entry) -> Request? {
    switch entry.status {
    case .waiting: Request(entry: entry.id, element: entry.element, claim: nil)
    case .begun(let claim): Request(entry: entry.id, element: entry.element, claim: claim)
    case .failed: nil
    }
  }

  /// Claims the entry, serves it, and sends the result.
  public func run(following requests: RequestUpdates<Request>, send: Send<Action>) async {
    let id = requests.first.entry
    guard requests.first.claim == nil else {
      await send(.failed(id, .interrupted))
      return
    }
    let claim = UInt64.random(in: .min ... .max)
    guard await send(.began(id, claim: claim)) == .reduced else { return }
    // Two runs may have claimed the entry. Only the claim in the state counts.
    guard await requests.first(where: { $0.claim != nil })?.claim == claim else { return }
    do {
      try await serve(requests.first.element)
      await send(.served(id))
    } catch {
      await send(.failed(id, .thrown("\(error)")))
    }
  }
}
