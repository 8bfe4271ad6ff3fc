/// The work that had not returned when a shutdown ended.
public struct ShutdownReport: Sendable, CustomStringConvertible {
  /// The connections with work that had not returned by the hard deadline.
  public let unfinished: [StoreActivity.Entry]
  /// Whether everything has returned.
  public var isClean: Bool { unfinished.isEmpty }

  /// One line for each connection in `unfinished`; `clean` if there is none.
  public var description: String {
    isClean ? "clean" : unfinished.map(\.description).joined(separator: "\n")
  }
}
