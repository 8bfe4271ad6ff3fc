import Millrace

/// One-shot events in the state: things to be done once, each in its own right, also when equal.
///
/// A reducer appends, an ``OutboxEffect`` serves. An entry leaves when it has been served; one that failed stays,
/// visible, until it is retried or discarded.
///
/// ```swift
/// struct State: Equatable, Sendable { var toasts = Outbox<String>() }
/// var state = State()
/// state.toasts.append("saved")
/// state.toasts.append("saved")
/// ```
///
/// Unfit for work that must survive being begun and not ended: such an entry fails as interrupted, since nobody can
/// know whether it was done. At most once per entry is what an outbox gives.
public struct Outbox<Element: Hashable & Sendable>: Hashable, Sendable {
  /// Tells an entry from all others that the outbox ever had.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64
    /// `#7`
    public var description: String { "#\(number)" }
  }

  /// One thing to be done.
  public struct Entry: Hashable, Sendable, Identifiable {
    /// Its identity, given by `append`.
    public let id: ID
    /// What is to be done.
    public let element: Element
    /// How far it is.
    public fileprivate(set) var status: Status
  }

  /// How far an entry is.
  public enum Status: Hashable, Sendable {
    /// Nobody has begun it.
    case waiting
    /// The run with this claim has begun it.
    case begun(claim: UInt64)
    /// It was begun and has failed. It is not begun again unless retried.
    case failed(Failure)
  }

  /// Why an entry has failed.
  public enum Failure: Hashable, Sendable {
    /// Serving it has thrown an error, which reads like this.
    case thrown(String)
    /// Whoever had begun it was stopped before it ended: it may or may not have been done.
    case interrupted
  }

  /// What serving entries tells the state. To be handed to `reduce(_:)`.
  public enum Action: Hashable, Sendable {
    /// A run is about to serve an entry.
    case began(ID, claim: UInt64)
    /// An entry was served.
    case served(ID)
    /// An entry has failed.
    case failed(ID, Failure)
  }

  /// What has not been served, oldest first.
  public private(set) var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  /// Makes an empty outbox.
  public init() {}

  /// Adds something to be done, behind all else. O(1).
  @discardableResult
  public mutating func append(_ element: Element) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries.append(Entry(id: id, element: element, status: .waiting))
    return id
  }

  /// Has a failed entry begun again, in its old place. Does nothing for any other. O(n)
  public mutating func retry(_ id: ID) {
    guard let index = index(of: id), case .failed = entries[index].status else { return }
    entries[index].status = .waiting
  }

  /// Removes an entry, failed or not; one that is being served is stopped. O(n)
  public mutating func discard(_ id: ID) {
    entries.removeAll { $0.id == id }
  }

  /// The entries that have failed, oldest first. O(n)
  public var failed: [Entry] {
    entries.filter { if case .failed = $0.status { true } else { false } }
  }

  /// Records the result of serving an entry. O(n) in the number of entries.
  public mutating func reduce(_ action: Action) {
    switch action {
    case .began(let id, let claim):
      guard let index = index(of: id), entries[index].status == .waiting else { return }
      entries[index].status = .begun(claim: claim)
    case .served(let id):
      discard(id)
    case .failed(let id, let failure):
      guard let index = index(of: id) else { return }
      entries[index].status = .failed(failure)
    }
  }

  private func index(of id: ID) -> Int? { entries.firstIndex { $0.id == id } }
}

extension Outbox: Encodable where Element: Encodable {}
extension Outbox: Decodable where Element: Decodable {}
extension Outbox.ID: Codable {}
extension Outbox.Entry: Encodable where Element: Encodable {}
extension Outbox.Entry: Decodable where Element: Decodable {}
extension Outbox.Status: Codable {}
extension Outbox.Failure: Codable {}
