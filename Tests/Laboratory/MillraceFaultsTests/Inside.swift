@testable import MillraceExplorer
@testable import MillraceFaults

// What tests of printed values and of reports need from inside the modules.

/// A value as a printed test writes it where the compiler expects no type.
func source(of value: Any) -> String { SourceText.value(value) }

/// A value as a printed test writes it where the compiler expects a type.
func source<Value, Expected>(of value: Value, as expected: Expected.Type) -> String {
  SourceText.value(value, as: expected)
}

extension FaultReport {
  /// A report of one rerun, of which a bound left out faults.
  static func bounded(isOmissionAllowed: Bool) -> FaultReport {
    FaultReport(
      breaks: [], endless: [], reruns: 1, untriedFailures: [], omittedSingles: 1, omittedPairs: 1,
      isOmissionAllowed: isOmissionAllowed, unchecked: nil)
  }
}
