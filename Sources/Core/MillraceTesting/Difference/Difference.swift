/// The differences between two values, found by reflection, one a line.
///
/// A failing test prints these lines instead of two values that are mostly equal:
///
/// ```swift
/// let old = Cart(count: 0, rows: [Row(id: 7, title: "Frogs"), Row(id: 9, title: "Newts")])
/// let new = Cart(count: 1, rows: [Row(id: 7, title: "Toads")])
/// print(Difference(from: old, to: new))
/// //   count: 0 → 1
/// //   rows[id: 9]: removed Row(id: 9, title: "Newts")
/// //   rows[id: 7].title: "Frogs" → "Toads"
/// ```
///
/// Values are compared as follows:
///
/// - Values that are equal by `==` do not differ. Other values are compared by what their mirrors show.
/// - Elements of a collection that are `Identifiable` are found by their ids: added, removed, moved, changed. This
///   includes `KeyedArray`. The elements of other ordered collections are matched by the shortest list of insertions
///   and removals, those of dictionaries by key, those of sets by membership.
/// - For long strings and strings of many lines, only the part that differs is shown.
/// - A NaN does not differ from a NaN, although `==` says so.
/// - Two instances of a class are compared like values. If reflection shows no parts of them, they differ.
/// - Functions cannot be compared, and do not differ.
/// - Values that are unequal by `==` but equal by reflection get a line that says so.
///
/// - Complexity: O(n) for n reflected parts of the values that are not equal by `==`, and O((n + d) d) for n elements
///   that are not `Identifiable` between the first and the last of d insertions and removals. Beyond 400 insertions
///   and removals, elements are compared position by position, in O(n).
public struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// The number of differences. 0 if there is none.
  public let count: Int

  /// The first differences, each with its path, up to the limit asked for.
  public let lines: [String]

  /// For each line, the path of the part that it concerns, without the ids and indices of elements:
  /// `search.rows[].title`.
  package let places: [String]

  /// Finds the changes from one value to the next: `count: 0 → 1`.
  ///
  /// - Parameter limit: the number of differences to be described. The others are counted.
  /// - Precondition: `limit` is not negative.
  public init<Value>(from old: Value, to new: Value, showing limit: Int = 20) {
    self.init(old, new, wording: .change, limit)
  }

  /// Finds the parts of a value that differ from the expected one: `count: expected 0, is 1`.
  ///
  /// - Parameter limit: the number of differences to be described. The others are counted.
  /// - Precondition: `limit` is not negative.
  public init<Value>(expected: Value, actual: Value, showing limit: Int = 20) {
    self.init(expected, actual, wording: .expectation, limit)
  }

  private init(_ old: Any, _ new: Any, wording: DifferenceWording, _ limit: Int) {
    precondition(limit >= 0, "a difference cannot show \(limit) lines")
    var comparison = DifferenceComparison(findings: DifferenceFindings(wording: wording, limit: limit))
    comparison.compare(old, new, at: DifferencePath())
    count = comparison.findings.count
    lines = comparison.findings.lines
    places = comparison.findings.places
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { count == 0 }

  /// The lines, each indented by two spaces, then the number of further differences; `no difference` if there are none.
  public var description: String {
    guard !isEmpty else { return "no difference" }
    let rest = count - lines.count
    return (lines + (rest > 0 ? ["and \(rest) more"] : [])).map { "  \($0)" }.joined(separator: "\n")
  }
}
