/// The samples of several passes: their median and their spread.
struct Measurement: Sendable {
  private(set) var samples: [Double]

  /// Makes a measurement of at least one sample.
  init(_ samples: [Double]) {
    self.samples = samples.sorted()
  }

  var min: Double { samples[0] }
  var max: Double { samples[samples.count - 1] }

  var median: Double {
    let middle = samples.count / 2
    return samples.count.isMultiple(of: 2) ? (samples[middle - 1] + samples[middle]) / 2 : samples[middle]
  }
}

/// Measures the time since its creation.
struct Stopwatch {
  private let start = ContinuousClock.now

  /// Nanoseconds since the start, divided by `count`.
  func nanoseconds(per count: Int) -> Double {
    (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
  }
}
