import MillraceExplorer
import MillraceTesting
import TestSupport
import Testing

/// A feature with its planted bug, or with the bug mended.
enum PlantedVersion: CaseIterable, Sendable {
  case planted
  case mended

  var isMended: Bool { self == .mended }

  /// Goes through a printed test: as long as the bug is there, it fails by the property.
  func check(_ printed: () async -> Void) async {
    await withKnownIssue {
      await printed()
    } when: {
      !isMended
    } matching: { issue in
      "\(issue)".contains("Expectation failed")
    }
  }
}

extension ExplorationReport {
  /// Checks that the planted bug is found in so many moves and that its printed test is in the file, or that nothing is
  /// found where the bug is mended.
  func check(_ version: PlantedVersion, moves: Int, in filePath: String = #filePath) throws {
    if version.isMended { return #expect(isClean, "\(self)") }
    let found = try #require(counterexamples.first, "\(self)")
    #expect(found.steps.count == moves && counterexamples.count == 1, "\(found)")
    #expect(try PrintedTest(found.test).isWritten(in: filePath), "\(found.test)")
  }
}
