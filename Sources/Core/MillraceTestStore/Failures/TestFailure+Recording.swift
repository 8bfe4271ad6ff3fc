import Millrace
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

  /// Fails the test that XCTest runs. Without one, writes to standard error, and fails a run of Swift Testing, if there
  /// is one, by an issue of no test.
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
