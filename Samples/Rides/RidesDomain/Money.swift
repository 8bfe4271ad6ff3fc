/// An amount of money, in cents.
public struct Money: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  public var cents: Int

  public init(cents: Int) { self.cents = cents }

  public static let zero = Money(cents: 0)

  public static func < (left: Money, right: Money) -> Bool { left.cents < right.cents }
  public static func + (left: Money, right: Money) -> Money { Money(cents: left.cents + right.cents) }
  public static func - (left: Money, right: Money) -> Money { Money(cents: left.cents - right.cents) }

  /// `12.05`
  public var description: String {
    let (whole, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(cents < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
