/// The progress of a transfer.
public struct HTTPProgress: Hashable, Sendable {
  /// The largest number of progress events of one transfer, however large it is.
  public static var mostReports: Int { 100 }

  /// The number of bytes of the body that were received or sent.
  public var completed: Int
  /// The size of the body in bytes, if known.
  public var total: Int?

  /// Makes a progress value, for tests.
  public init(completed: Int, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The completed share, from 0 to 1; `nil` if the total is unknown.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}
