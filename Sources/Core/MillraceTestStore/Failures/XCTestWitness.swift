#if canImport(XCTest)
import Millrace
import XCTest

/// Detects whether a test case of XCTest received a failure. XCTest has no way to ask whether a test case is running,
/// and ignores failures if none is.
final class XCTestWitness: NSObject, XCTestObservation, Sendable {
  private static let shared = {
    let witness = XCTestWitness()
    XCTestObservationCenter.shared.addTestObserver(witness)
    return witness
  }()

  private let failureCount = Lock(0)  // all that changes

  /// Whether XCTest received a failure while `report` was called. Failures of other threads count, too.
  static func hasSeenFailure(of report: () -> Void) -> Bool {
    let before = shared.failureCount.withLock { $0 }
    report()
    return shared.failureCount.withLock { $0 } > before
  }

  #if canImport(Darwin)
  func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { failureCount.withLock { $0 += 1 } }
  #else
  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
    atLine lineNumber: Int
  ) {
    failureCount.withLock { $0 += 1 }
  }
  #endif
}
#endif
