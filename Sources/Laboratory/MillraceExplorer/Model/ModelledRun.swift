import Millrace

/// Tells a run in progress from all others of its feature: the effect, and the number of the request that it began with.
struct RunKey: Hashable {
  let effect: Int32
  let request: Int32
}

/// A run in progress.
final class ModelledRun {
  let key: RunKey
  /// Leads to its effect from the feature.
  let path: [Int]
  let connection: ConnectionIdentity
  /// The ids of the parts of the state to which its effect belongs, outermost first.
  let parts: [AnyHashable]
  /// The request that it began with.
  let begun: any Hashable & Sendable
  /// The values of its request at which it may be: older ones, if it may not have taken the newest one, and that one.
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
    (connection, parts) = (effect.connection, effect.parts)
  }
}

/// A value of the request of a run at which it may be.
struct RunValue {
  var number: Int32
  let request: any Hashable & Sendable
  /// Whether a newer value waits for the run. One that equals this may.
  let isOld: Bool
}

/// A run has shown at which of its values it is.
struct RunReport: Hashable {
  /// The numbers of the decision before, and of the effect.
  let decision: Int32
  let effect: Int32
  /// The numbers of the request that it began with, and of the value.
  let run: Int32
  let value: Int32
  let isOld: Bool
  let returns: Bool
}
