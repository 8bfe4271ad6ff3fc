import Testing

/// A line of a test, as the compiler passes it to a call.
///
/// XCTest takes the path of a file as a `StaticString`, which a `SourceLocation` of Swift Testing does not have.
package struct TestPlace: Sendable, CustomStringConvertible {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  /// The file and the line, in the form `Module/File.swift:12`.
  package var description: String { "\(fileID):\(line)" }

  package var sourceLocation: SourceLocation {
    SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}
