/// The results for the pairs of objects compared so far, and the number of values looked at. Shared by a comparison and
/// its probes.
final class ComparedObjects {
  struct Pair: Hashable {
    let old, new: ObjectIdentifier
  }

  /// The number of parts after which values are compared by `==` alone.
  let mostParts: Int
  /// Probes stop earlier, so that the differences can still be listed.
  var mostProbedParts: Int { mostParts / 2 }

  /// The results that the findings list; `nil` while a pair is being compared.
  var listed: [Pair: DifferenceComparison.Outcome?] = [:]
  /// The results of probes, which no finding lists.
  var probed: [Pair: DifferenceComparison.Outcome?] = [:]
  /// The number of parts compared so far.
  var parts = 0

  init(mostParts: Int = 400_000) { self.mostParts = mostParts }
}
