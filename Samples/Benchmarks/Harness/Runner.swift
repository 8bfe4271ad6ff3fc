/// Runs cases pass by pass, each right after its baselines.
///
/// Each pass forms a ratio of samples taken one after the other, and the median is that of the ratios. So a machine
/// that slows down for a while affects both.
struct Runner {
  let cases: [BenchmarkCase]
  let comparisons: [Comparison]
  let invocation: Invocation

  /// The names of the selected rows, in order.
  var selection: [(name: String, unit: String)] {
    let all = cases.map { ($0.name, $0.unit) } + comparisons.map { ($0.name, "ratio") }
    return all.filter { isSelected($0.0) }
  }

  /// Whether a name is selected. A full name selects only that benchmark.
  private func isSelected(_ name: String) -> Bool {
    let names = cases.map(\.name) + comparisons.map(\.name)
    return names.contains(invocation.prefix) ? name == invocation.prefix : name.hasPrefix(invocation.prefix)
  }

  /// Runs the selected cases, and passes on each row once it is complete.
  ///
  /// - Throws: `Undelivered`, with the name of the case.
  func run(_ finished: (Row) -> Void) async throws {
    for selected in cases where isSelected(selected.name) {
      finished(try await measure(selected))
    }
    for comparison in comparisons where isSelected(comparison.name) {
      finished(try await compare(comparison))
    }
  }

  private func measure(_ selected: BenchmarkCase) async throws -> Row {
    var costs: [Double] = []
    var ratios: [Double] = []
    let baseline = invocation.comparesWithBaselines ? selected.baseline : []
    for _ in 0..<invocation.effort.passes {
      var expected = 0.0
      for name in baseline { expected += try await sample(named: name) }
      let cost = try await sample(selected)
      costs.append(cost)
      ratios.append(cost / expected)
    }
    return Row(
      name: selected.name, unit: selected.unit, cost: Measurement(costs), baseline: baseline,
      ratio: baseline.isEmpty ? nil : Measurement(ratios), target: baseline.isEmpty ? nil : selected.target)
  }

  private func compare(_ comparison: Comparison) async throws -> Row {
    var ratios: [Double] = []
    for _ in 0..<invocation.effort.passes {
      let denominator = try await sample(named: comparison.denominator)
      ratios.append(try await sample(named: comparison.numerator) / denominator)
    }
    return Row(name: comparison.name, ratio: Measurement(ratios), target: comparison.target)
  }

  private func sample(named name: String) async throws -> Double {
    guard let found = cases.first(where: { $0.name == name }) else {
      throw Undelivered(description: "there is no benchmark '\(name)' to compare with")
    }
    return try await sample(found)
  }

  private func sample(_ benchmark: BenchmarkCase) async throws -> Double {
    do {
      return try await benchmark.pass(invocation.effort)
    } catch {
      throw Undelivered(description: "\(benchmark.name): \(error)")
    }
  }
}
