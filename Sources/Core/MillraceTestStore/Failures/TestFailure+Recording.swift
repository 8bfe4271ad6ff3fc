import MillraceDescriptors
import Testing

#if canImport(XCTest)
import XCTest
#endif

extension TestFailure {
  /// Records an issue of the test of the current task.
  func recordIssue() {
    Issue.record(Comment(rawValue: message), sourceLocation: place.sourceLocation)
  }

  /// Fails the running test of XCTest. If there is none, writes to standard error, and in a run of Swift Testing
  /// records an issue without a test.
  func reportToAnyLibrary() {
    #if canImport(XCTest)
    if XCTestWitness.hasSeenFailure(of: { XCTFail(message, file: place.filePath, line: place.line) }) {
      return
    }
    #endif
    StandardError.write(line: "\(place): failure outside of a test: \(message)")
    recordIssue()
  }
}
