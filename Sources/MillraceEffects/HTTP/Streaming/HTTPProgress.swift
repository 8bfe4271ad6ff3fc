/// How far a transfer is.
public struct HTTPProgress: Hashable, Sendable {
  /// The largest number of times that progress is told of one transfer, however large it is.
  public static var mostReports: Int { 100 }

  /// How many bytes of the body have come.
  public var received: Int
  /// How many bytes the body has, if the server has announced it.
  public var total: Int?

  /// Makes a progress, for tests that answer by hand.
  public init(received: Int, total: Int? = nil) {
    self.received = received
    self.total = total
  }

  /// The share that has come, from 0 to 1; `nil` if the total is not known.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
  }
}
