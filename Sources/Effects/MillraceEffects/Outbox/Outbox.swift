import Millrace

/// A queue in the state for things to be done once each, even if they are equal, such as messages to show.
///
/// A reducer appends entries and an ``OutboxEffect`` serves them. An entry is removed when it has been served; one
/// that failed stays in the outbox until it is retried or discarded.
///
/// ```swift
/// struct State: Equatable, Sendable { var toasts = Outbox<String>() }
/// var state = State()
/// state.toasts.append("saved")
/// state.toasts.append("saved")
/// ```
///
/// An outbox serves each entry at most once. If the run of an entry is stopped, by disconnecting or by the end of the
/// program, it is unknown whether the thing was done. So the entry is not served again, and fails as
/// ``Failure/interrupted`` when an effect is connected to the outbox again. Unsuitable for work that must be done even
/// if the program crashes: use a `Ledger` of `MillraceStorage`.
public struct Outbox<Element: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of an entry, unique in its outbox.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    /// Makes the identity of the entry with this number, from 1, for tests.
    public init(number: UInt64) { self.number = number }

    /// The number of the entry, in the form `#7`.
    public var description: String { "#\(number)" }
  }

  /// An entry of an outbox: one thing to be done.
  public struct Entry: Hashable, Sendable, Identifiable {
    /// The identity of the entry, given by `append`.
    public let id: ID
    /// The thing to be done, as it was appended.
    public let element: Element
    /// The status of the entry.
    public fileprivate(set) var status: Status

    /// Makes an entry, for tests.
    public init(id: ID, element: Element, status: Status) {
      (self.id, self.element, self.status) = (id, element, status)
    }
  }

  /// The status of an entry.
  public enum Status: Hashable, Sendable {
    /// No run has begun to serve the entry.
    case waiting
    /// A run with this claim is serving the entry.
    case begun(claim: UInt64)
    /// Serving the entry has failed. It is not served again unless it is retried.
    case failed(Failure)
  }

  /// Why an entry has failed.
  public enum Failure: Hashable, Sendable {
    /// The `serve` closure threw an error with this description.
    case thrown(String)
    /// The run was stopped before it had ended; it is unknown whether the thing was done.
    case interrupted
  }

  /// An action that reports the progress of an entry. Pass it to `reduce(_:)`.
  public enum Action: Hashable, Sendable {
    /// A run is about to serve an entry.
    case began(ID, claim: UInt64)
    /// An entry was served.
    case served(ID)
    /// An entry has failed.
    case failed(ID, Failure)
  }

  /// The entries that have not been served, oldest first.
  public private(set) var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  /// Makes an empty outbox.
  public init() {}

  /// Makes an outbox in any condition, for tests.
  ///
  /// - Parameter lastNumber: the number of the last entry appended, which may have been removed.
  public init(entries: [Entry], lastNumber: UInt64) {
    (self.entries, self.lastNumber) = (entries, lastNumber)
  }

  /// Appends an entry. O(1)
  ///
  /// - Returns: the identity of the entry.
  @discardableResult
  public mutating func append(_ element: Element) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries.append(Entry(id: id, element: element, status: .waiting))
    return id
  }

  /// Asks for a failed entry to be served again, in its old place. Does nothing for other entries. O(n)
  public mutating func retry(_ id: ID) {
    guard let index = index(of: id), case .failed = entries[index].status else { return }
    entries[index].status = .waiting
  }

  /// Removes an entry, whatever its status. If it is being served, its run is stopped. O(n)
  public mutating func discard(_ id: ID) {
    entries.removeAll { $0.id == id }
  }

  /// The entries that have failed, oldest first. O(n)
  public var failed: [Entry] {
    entries.filter { if case .failed = $0.status { true } else { false } }
  }

  /// Applies an action of the ``OutboxEffect``. O(n) in the number of entries.
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
