import Millrace

/// The identity of a run within its feature: the effect, and the number of the request that the run began with.
struct RunKey: Hashable {
  let effect: Int32
  let request: Int32
}

/// A run in progress.
final class ModelledRun {
  let key: RunKey
  /// The path from the feature to the run's effect.
  let path: [Int]
  let connection: ConnectionIdentity
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  let parts: [AnyHashable]
  /// The request that the run began with.
  let begun: any Hashable & Sendable
  /// The values of its request that the run may be serving: the newest one, and older ones if it may not have taken the
  /// newest.
  let values: [RunValue]
  let newest: RunValue

  /// The newest value of its request.
  var request: any Hashable & Sendable { newest.request }

  init(
    _ key: RunKey, of effect: some WiredEffect, path: [Int], begun: any Hashable & Sendable,
    values: [RunValue]
  ) {
    (self.key, self.path, self.begun, self.values) = (key, path, begun, values)
    newest = values[values.count - 1]
    (connection, parts) = (effect.identity, effect.partIDs)
  }
}

/// A value of its request that a run may be serving.
struct RunValue: Hashable {
  /// The number of the request among those of its effect.
  var number: Int32
  let request: any Hashable & Sendable
  /// Whether a newer value waits for the run. That value may be equal to this one.
  let isOld: Bool

  static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.isOld == right.isOld
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A report of a run: which of its values it serves.
struct RunReport: Hashable {
  /// The numbers of the decision before, and of the effect.
  let decision: Int32
  let effect: Int32
  /// The numbers of the request that the run began with, and of the value that it serves.
  let run: Int32
  let value: Int32
  let isOld: Bool
  let returns: Bool
}
