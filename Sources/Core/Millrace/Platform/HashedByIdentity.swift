/// A class of which no two objects are equal.
protocol HashedByIdentity: AnyObject, Hashable {}

extension HashedByIdentity {
  static func == (left: Self, right: Self) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
