/// The results for the pairs of objects that a comparison has met, and the number of values that it has looked at.
/// Shared by a comparison and its probes.
final class ComparedObjects {
  struct Pair: Hashable {
    let old, new: ObjectIdentifier
  }

  /// More parts than this are compared by `==` alone.
  let mostParts: Int
  /// Probes end before, so that what differs can still be listed.
  var mostProbedParts: Int { mostParts / 2 }

  /// The results that the findings list; `nil` while a pair is being compared.
  var listed: [Pair: DifferenceComparison.Outcome?] = [:]
  /// The results of probes, which no finding lists.
  var probed: [Pair: DifferenceComparison.Outcome?] = [:]
  /// The parts that were looked into.
  var parts = 0

  init(mostParts: Int = 400_000) { self.mostParts = mostParts }
}
