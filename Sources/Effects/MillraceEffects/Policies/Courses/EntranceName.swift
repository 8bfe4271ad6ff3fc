/// Names one of the entrances that a policy has, such as the breaker of one key.
package struct EntranceName: Hashable, Sendable {
  private let key: any Hashable & Sendable

  init(_ key: some Hashable & Sendable) { self.key = key }

  package static func == (left: EntranceName, right: EntranceName) -> Bool {
    AnyHashable(left.key) == AnyHashable(right.key)
  }

  package func hash(into hasher: inout Hasher) { key.hash(into: &hasher) }
}
