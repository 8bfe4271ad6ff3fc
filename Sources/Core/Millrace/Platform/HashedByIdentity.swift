/// A class whose objects are equal only to themselves.
protocol HashedByIdentity: AnyObject, Hashable {}

extension HashedByIdentity {
  static func == (left: Self, right: Self) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
