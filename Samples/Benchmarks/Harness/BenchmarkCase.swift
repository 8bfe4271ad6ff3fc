/// One measured case: a workload, or a physical baseline that workloads are compared with.
struct BenchmarkCase: Sendable {
  let name: String
  /// The unit of a sample, such as `ns/action`.
  let unit: String
  /// The cases with whose summed cost this case is compared; each is measured right before it in every pass.
  var baseline: [String] = []
  /// The highest ratio that must hold; `nil` if none is promised.
  var target: Double?
  /// Makes one pass and returns its sample.
  ///
  /// - Throws: `Undelivered` if not everything that was sent arrived.
  let pass: @Sendable (Effort) async throws -> Double
}

/// A figure that is the ratio of two cases, measured side by side.
struct Comparison: Sendable {
  let name: String
  let numerator: String
  let denominator: String
  var target: Double?
}

/// The amount of work of a pass.
struct Effort: Sendable {
  /// The factor for the counts of a full run.
  var scale = 1.0
  var passes = 7

  /// A short run that only shows that everything works.
  static let quick = Effort(scale: 0.01, passes: 1)

  /// The count for a pass that has the count `full` in a full run.
  func count(_ full: Int) -> Int { max(10, Int(Double(full) * scale)) }
}

/// A workload did not deliver what was sent, so its time means nothing.
struct Undelivered: Error, CustomStringConvertible {
  let description: String
}

/// Throws `Undelivered` unless `condition` holds.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Undelivered) {
  if !condition { throw Undelivered(description: message()) }
}

/// Throws `Undelivered` unless `found` is `expected`.
func expect<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) throws(Undelivered) {
  try expect(found == expected, "\(what): \(found) instead of \(expected)")
}
