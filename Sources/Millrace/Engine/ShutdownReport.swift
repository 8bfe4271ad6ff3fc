/// What a shutdown left behind.
public struct ShutdownReport: Sendable, CustomStringConvertible {
  /// What had not returned by the hard deadline, by name of the connection.
  public let unfinished: [StoreActivity.Entry]
  /// Whether everything has returned.
  public var isClean: Bool { unfinished.isEmpty }

  /// One line for each that has not returned; `clean` if there is none.
  public var description: String {
    isClean ? "clean" : unfinished.map(\.description).joined(separator: "\n")
  }
}
