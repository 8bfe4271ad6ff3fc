/// The connections of a store and their work, at one moment. Print it to read it.
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
  /// The numbers of actions that were reduced, fenced and refused since the store was made.
  public let reduced, fenced, refused: UInt64
  /// The number of actions and connections that wait in the mailbox.
  public let waiting: Int
  /// The connections of the store or scope, and ended connections whose work has not returned.
  public let entries: [Entry]

  /// The activity of one connection.
  public struct Entry: Sendable, CustomStringConvertible {
    /// The identity of the connection.
    public let connection: ConnectionIdentity
    /// The slice that the connection watches, as its key path reads.
    public let slice: String
    /// The work in progress, and the requests that are finished and still asked for.
    public let work: [Work]
    /// Whether it is still connected.
    public let isConnected: Bool

    /// The entry as lines of text, with its work below the component.
    public var description: String {
      ([head] + work.map { "  \($0)" }).joined(separator: "\n")
    }

    fileprivate var head: String {
      "\(connection.name) on \(slice) at \(connection.site)\(isConnected ? "" : ", disconnected")"
    }
  }

  /// One run or update.
  public struct Work: Sendable, CustomStringConvertible {
    /// The phase of a run or update.
    @nonexhaustive public enum Phase: String, Sendable {
      /// Decided; waits for the run before it, or for its task.
      case starting
      /// The body of the run, or the update, is in progress.
      case running
      /// Stopped and fenced; the body has not returned.
      case stopping
      /// Returned; the request is still asked for.
      case finished
    }

    /// The phase of the work.
    public let phase: Phase
    /// The number of the run; `nil` for a finished one and for an update.
    public let generation: UInt64?
    /// The request with what it contains, types without their modules, as in `Page(number: 3)`.
    public let request: String
    /// The reasons for which its tasks wait, as far as they give one, such as `a slot of 8`. See
    /// ``withWait(for:inLine:_:)``.
    public let waitsFor: [String]
    /// Whether some of its tasks wait for a test.
    package let waitsForTest: Bool

    /// The phase, the number, the request and what the work waits for, in the form
    /// `running #3 "swift", waits for a slot of 8`.
    public var description: String {
      let waits = waitsFor.isEmpty ? "" : ", waits for \(waitsFor.joined(separator: " and "))"
      return "\(phase.rawValue)\(generation.map { " #\($0)" } ?? "") \(request)\(waits)"
    }
  }

  /// The connections that have work in progress.
  package var busy: [Entry] { entries.filter { entry in entry.work.contains { $0.phase != .finished } } }

  /// The work in progress below its connections as lines of text; `nil` if there is none.
  ///
  /// - Parameter limit: how many pieces of work are named. How many more there are is said.
  package func busyText(atMost limit: Int) -> String? {
    var lines: [String] = []
    var rest = limit
    var left = 0
    for entry in busy {
      let work = entry.work.filter { $0.phase != .finished }
      left += max(0, work.count - rest)
      if rest > 0 { lines += [entry.head] + work.prefix(rest).map { "  \($0)" } }
      rest = max(0, rest - work.count)
    }
    if left > 0 { lines.append("and \(left) more") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The activity as lines of text.
  public var description: String {
    let head = "\(name): \(reduced) reduced, \(fenced) fenced, \(refused) refused, \(waiting) waiting"
    let lines = entries.flatMap { $0.description.split(separator: "\n").map { "  \($0)" } }
    return ([head] + lines).joined(separator: "\n")
  }
}
