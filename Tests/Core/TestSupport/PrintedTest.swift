import Foundation

/// A test in Swift that an explorer printed.
package struct PrintedTest {
  private let lines: [String]

  /// Takes the body of a printed test, without its comments.
  package init(_ text: String) { lines = Self.code(in: text).dropFirst().dropLast() }

  /// Whether the body is in a source file, line after line. What is written there is compiled, so this is.
  package func isWritten(in filePath: String = #filePath) throws -> Bool {
    Self.code(in: try String(contentsOfFile: filePath, encoding: .utf8)).contains(lines)
  }

  /// The lines without indentation, blank lines and lines of comments.
  private static func code(in text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("//") }
  }
}
