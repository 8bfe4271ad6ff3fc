/// The connections of a store and their work, at one moment. Print it to read it.
///
/// ```swift
/// print(store.activity)
/// // App: 12 reduced, 0 fenced, 0 refused, 0 waiting
/// //   SearchEffect on \App.search at App/Main.swift:12
/// //     running #3 "swift", started by action 12
/// ```
///
/// The text lists only the first entries and pieces of work if there are many, such as the effects of a thousand
/// elements, and counts the others.
public struct StoreActivity: Sendable, CustomStringConvertible {
  /// The name of the store.
  public let name: String
  /// The numbers of actions reduced, fenced and refused since the store was made.
  public let reduced, fenced, refused: UInt64
  /// The number of entries that wait in the mailbox: actions, connections, and work of the store itself.
  public let waiting: Int
  /// The connections of the store or scope, and ended connections whose work has not returned.
  public let entries: [Entry]

  /// The activity of one connection.
  public struct Entry: Sendable, CustomStringConvertible {
    /// The identity of the connection.
    public let connection: ConnectionIdentity
    /// The key path of the watched slice, within its lifetimes and with the ids of elements: `\App.rows[3] \Row.title`.
    public let slice: String
    /// The work in progress, and the finished requests that the state still asks for.
    public let work: [Work]
    /// Whether it is still connected.
    public let isConnected: Bool
  }

  /// One run or update.
  public struct Work: Sendable, CustomStringConvertible {
    /// The phase of a run or update.
    @nonexhaustive public enum Phase: String, Sendable {
      /// Decided. It waits for the run before it, or for its task.
      case starting
      /// The body of the run, or the update, is in progress.
      case running
      /// Stopped and fenced. The body has not returned.
      case stopping
      /// Returned. The state still asks for the request.
      case finished
    }

    /// The phase of the work.
    public let phase: Phase
    /// The number of the run; `nil` for a finished one and for an update.
    public let generation: UInt64?
    /// The number of the action that started the run; `nil` if the connection of the effect did, and for a finished one
    /// and an update.
    public let startedBy: UInt64?
    /// The request with its contents and without the modules of types, as in `Page(number: 3)`.
    public let request: String
    /// The stated reasons for which its tasks wait, such as `a slot of 8`. See ``withWaitReason(_:queued:_:)``.
    public let waitsFor: [String]
    /// Whether one of its tasks waits for a test.
    package let waitsForTest: Bool

    /// The phase, the number, the request, its cause and the reasons of its waits, in the form `running #3 "swift",
    /// started by action 12, waits for a slot of 8, third in line`.
    public var description: String {
      let waits = waitsFor.isEmpty ? "" : ", waits for \(waitsFor.joined(separator: " and "))"
      let cause = startedBy.map { ", started by action \($0)" } ?? ""
      return "\(phase.rawValue)\(generation.map { " #\($0)" } ?? "") \(request)\(cause)\(waits)"
    }
  }
}
