/// What is connected to a store and what runs, at one moment; readable when printed.
///
/// ```swift
/// print(store.activity)
/// // App: 12 reduced, 0 fenced, 0 refused, 0 waiting
/// //   SearchEffect on \App.search at App/Main.swift:12
/// //     running #3 "swift"
/// ```
public struct StoreActivity: Sendable, CustomStringConvertible {
  /// The name of the store.
  public let name: String
  /// How many actions were reduced, fenced and refused since the store was made.
  public let reduced, fenced, refused: UInt64
  /// How many actions and connections wait for their turn.
  public let waiting: Int
  /// What is connected through the store or scope, and what has ended while its work has not.
  public let entries: [Entry]

  /// One connection.
  public struct Entry: Sendable, CustomStringConvertible {
    /// Which connection it is.
    public let connection: ConnectionIdentity
    /// The slice that it watches, as its key path reads.
    public let slice: String
    /// What is under way, and what is asked for and done.
    public let work: [Work]
    /// Whether it is still connected.
    public let isConnected: Bool

    /// The entry as lines, the work beneath the component.
    public var description: String {
      let head = "\(connection.name) on \(slice) at \(connection.site)\(isConnected ? "" : ", disconnected")"
      return ([head] + work.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  /// One run or update.
  public struct Work: Sendable, CustomStringConvertible {
    /// How far it is.
    public enum Phase: String, Sendable {
      /// Decided; it waits for its predecessor or for its task.
      case starting
      /// Its body, or the update, is under way.
      case running
      /// Stopped and fenced; its body has not returned.
      case stopping
      /// Still asked for; its body has returned.
      case finished
    }

    /// How far it is.
    public let phase: Phase
    /// The number of the run; `nil` for a finished one and for an update.
    public let generation: UInt64?
    /// The request, as it reflects.
    public let request: String

    /// `running #3 "swift"`
    public var description: String {
      "\(phase.rawValue)\(generation.map { " #\($0)" } ?? "") \(request)"
    }
  }

  /// The activity as lines.
  public var description: String {
    let head = "\(name): \(reduced) reduced, \(fenced) fenced, \(refused) refused, \(waiting) waiting"
    let lines = entries.flatMap { $0.description.split(separator: "\n").map { "  \($0)" } }
    return ([head] + lines).joined(separator: "\n")
  }
}
