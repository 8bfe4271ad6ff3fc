/// A failure of a test: the message, and the line of the test that it concerns.
package struct TestFailure: Sendable, CustomStringConvertible {
  package let message: String
  package let place: TestPlace

  /// The place and the message, in the form `Module/File.swift:12: message`.
  package var description: String { "\(place): \(message)" }
}
