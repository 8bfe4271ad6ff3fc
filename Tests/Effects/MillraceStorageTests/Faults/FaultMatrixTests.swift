#if os(Linux)
import Foundation
import TestSupport
import Testing

/// Every system call that a process makes on its files, made to fail in many ways.
@Suite struct FaultMatrixTests {
  /// In the words of `faults.c`: 4 is `EINTR`, 5 is `EIO`, 28 is `ENOSPC`.
  private static let kinds = [
    "errno 5", "killed", "short", "half-kill", "late 5", "kill", "errno 4", "half 28", "errno 28", "ever 5",
  ]

  /// Each call fails in one of so many kinds.
  private static let share = TestSize.isFull ? 1 : 20

  @Test(
    "whatever system call fails, what was acknowledged is there, and what was there before",
    arguments: FaultScenario.allCases)
  func matrix(scenario: FaultScenario) async throws {
    let (runs, violations) = try await onOwnThread { () -> (Int, [String]) in
      var runs = 0
      var violations: [String] = []
      for number in 1... {
        var isOver = false
        for (index, kind) in Self.kinds.enumerated() where (index + number) % Self.share == 0 {
          let run = try FaultRun(scenario, failing: number, kind: kind)
          guard let fault = run.fault else {
            isOver = true
            break
          }
          runs += 1
          violations += Self.violations(of: run, scenario, kind).map {
            "\(kind) at \(number), \(fault): \($0)"
          }
        }
        if isOver { break }
      }
      return (runs, violations)
    }
    #expect(violations.isEmpty)
    #expect(runs >= 150 / Self.share)
  }

  private static func violations(of run: FaultRun, _ scenario: FaultScenario, _ kind: String) -> [String] {
    var violations: [String]
    do {
      violations = try scenario.violations(run.path, after: run.lines)
    } catch {
      violations = ["\(error)"]
    }
    // A call that was interrupted, or did less than it was asked to, is made again.
    let isHarmless =
      kind == "short"
      || kind == "errno 4" && !(run.fault ?? "").contains("stat ")
        && ["rename", "link", "unlink"].allSatisfy { !(run.fault ?? "").contains("fault \($0)") }
    if isHarmless { violations += run.lines.filter { $0.hasPrefix("failed") } }
    return violations
  }
}
#endif
