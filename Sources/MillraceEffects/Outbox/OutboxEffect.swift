import Millrace

/// Serves the entries of an ``Outbox``, each at most once.
///
/// ```swift
/// store.connect(
///   OutboxEffect<String> { toast in try await screen.show(toast) }, to: \.toasts, action: AppAction.toasts)
/// ```
///
/// Before an entry is served it is claimed in the state: an entry whose run was stopped, by disconnecting or by the
/// end of the program, is never begun again by itself but fails as `interrupted`. Connect one such effect to one
/// outbox.
public struct OutboxEffect<Element: Hashable & Sendable>: HandoverEffectComponent {
  /// The outbox that is served.
  public typealias State = Outbox<Element>
  /// What serving tells the state.
  public typealias Action = Outbox<Element>.Action

  /// How entries follow each other.
  public enum Order: Hashable, Sendable {
    /// One after the other, oldest first. One that has failed lets the next begin.
    case inOrder
    /// So many at once at most, oldest first.
    case sideBySide(limit: Int)
  }

  /// One entry that is to be served, and who serves it.
  public struct Request: Hashable, Sendable {
    let entry: Outbox<Element>.ID
    let element: Element
    let claim: UInt64?
  }

  private let order: Order
  private let serve: @Sendable (Element) async throws -> Void

  /// Makes an effect that serves entries by `serve`, which is called in a task of its own and cancelled when the
  /// entry is discarded. What it throws is kept with the entry as text.
  public init(_ order: Order = .inOrder, serve: @escaping @Sendable (Element) async throws -> Void) {
    self.order = order
    self.serve = serve
  }

  /// The entry's own identity.
  public func id(of request: Request) -> Outbox<Element>.ID { request.entry }

  /// The entries that are to be served now.
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

  /// Claims the entry, serves it, and tells the state what came of it.
  public func run(following requests: RequestUpdates<Request>, send: Send<Action>) async {
    let id = requests.first.entry
    guard requests.first.claim == nil else {
      await send(.failed(id, .interrupted))
      return
    }
    let claim = UInt64.random(in: .min ... .max)
    guard await send(.began(id, claim: claim)) == .reduced else { return }
    // The state says who has it: only its word counts, should two have claimed it.
    guard await requests.first(where: { $0.claim != nil })?.claim == claim else { return }
    do {
      try await serve(requests.first.element)
      await send(.served(id))
    } catch {
      await send(.failed(id, .thrown("\(error)")))
    }
  }
}
