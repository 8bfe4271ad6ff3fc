import MillraceTesting
import Testing

/// Expects that the difference between two values reads so.
func expectChange<Value>(
  _ old: Value, _ new: Value, _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(Difference(from: old, to: new).lines == lines, sourceLocation: sourceLocation)
}

/// Expects that the difference between what was expected and what is there reads so.
func expectDeviation<Value>(
  _ expected: Value, _ actual: Value, _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(Difference(expected: expected, actual: actual).lines == lines, sourceLocation: sourceLocation)
}
