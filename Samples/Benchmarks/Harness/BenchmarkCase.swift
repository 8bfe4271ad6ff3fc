/// One thing that is measured: a workload, or a physical baseline that workloads are compared with.
struct BenchmarkCase: Sendable {
  let name: String
  /// The unit of a sample, such as `ns/action`.
  let unit: String
  /// The cases whose summed cost it is compared with, each measured right before it in every pass.
  var baseline: [String] = []
  /// The highest ratio that is meant to hold; `nil` where none is promised.
  var target: Double?
  /// Makes one pass and returns its sample.
  ///
  /// - Throws: `Undelivered` if what was sent did not arrive.
  let pass: @Sendable (Effort) async throws -> Double
}

/// A figure that is the ratio of two cases, measured side by side.
struct Comparison: Sendable {
  let name: String
  let numerator: String
  let denominator: String
  var target: Double?
}

/// How much work a pass does.
struct Effort: Sendable {
  /// The factor for the counts of a full run.
  var scale = 1.0
  var passes = 7

  /// A run of everything that only shows that it works.
  static let quick = Effort(scale: 0.01, passes: 1)

  /// The count for a pass that makes `full` in a full run.
  func count(_ full: Int) -> Int { max(10, Int(Double(full) * scale)) }
}

/// A workload did not deliver what was sent: its time means nothing.
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
