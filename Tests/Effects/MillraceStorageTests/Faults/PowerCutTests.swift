#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The system calls of a process, and what may be left of them when the power is cut behind each.
@Suite struct PowerCutTests {
  @Test(
    "wherever the power is cut, what was acknowledged is there, what was there before, and nothing is damaged",
    arguments: FaultScenario.allCases)
  func cut(scenario: FaultScenario) async throws {
    let (states, violations) = try await onOwnThread { () -> (Int, [String]) in
      var cut = PowerCut()
      let run = try FaultRun(scenario) { folder in cut = try PowerCut(folder) }
      var random = SeededGenerator(seed: 1)
      var states = 0
      var violations: [String] = []
      for (index, line) in run.trace.enumerated() {
        cut.took(line)
        for extent in PowerCut.Extent.allCases {
          let folder = try TemporaryFolder(isInMemory: true)
          try cut.leave(extent, in: folder, using: &random)
          states += 1
          do {
            violations += try scenario.violations(folder.file("kept"), after: cut.lines).map {
              "\(extent) behind \(index), \(line.prefix(60)): \($0)"
            }
          } catch {
            violations.append("\(extent) behind \(index), \(line.prefix(60)): \(error)")
          }
        }
      }
      return (states, violations)
    }
    #expect(violations.isEmpty)
    #expect(states > 60)
  }
}
#endif
