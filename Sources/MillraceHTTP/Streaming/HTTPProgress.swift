/// How far a transfer is.
public struct HTTPProgress: Hashable, Sendable {
  /// The largest number of times that progress is told of one transfer, however large it is.
  public static var mostReports: Int { 100 }

  /// How many bytes of the body have come, or gone.
  public var completed: Int
  /// How many bytes the body has, if that is known.
  public var total: Int?

  /// Makes a progress, for tests that answer by hand.
  public init(completed: Int, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The share that is complete, from 0 to 1; `nil` if the total is not known.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }
}
