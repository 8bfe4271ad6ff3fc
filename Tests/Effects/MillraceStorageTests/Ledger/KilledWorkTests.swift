import Foundation
import TestSupport
import Testing

@testable import storageprobe

/// What must be true of all that a program has told in all its lives.
private struct Chronicle {
  private var started: Set<Job> = []
  private var done: Set<Job> = []
  private var allowed: Set<Job> = []
  private var givenUp: Set<String> = []
  private var forgotten: Set<String> = []
  private(set) var violations: [String] = []
  private(set) var interruptions = 0
  private(set) var refusals = 0
  /// The jobs of the last life, which a state that was stored in it would ask for.
  private(set) var recent: [Job] = []

  var startedCount: Int { started.count }

  /// By key, what has been started and not done, and has not been given up.
  private var open: Set<String> {
    var latest: [String: Job] = [:]
    for job in started where latest[job.key].map({ $0.attempt < job.attempt }) ?? true {
      latest[job.key] = job
    }
    return Set(latest.values.filter { !done.contains($0) }.map(\.key)).subtracting(givenUp)
  }

  /// Whether enough has happened for nothing to have been seen by mere luck.
  var hasEnough: Bool {
    let enough = TestSize.count(2, full: 20)
    return startedCount > 5 * enough && interruptions > enough && refusals > enough
  }

  /// Takes in what one life has told.
  mutating func lived(_ lines: [String]) {
    let owed = open
    var reported: Set<String> = []
    recent = []
    for line in lines {
      let words = line.split(separator: " ")
      if line == "opened 0" {
        violations += owed.subtracting(reported).map { "\($0) was not told" }
        continue
      }
      guard let job = words.last.flatMap({ Job(String($0)) }) else {
        violations.append(line)
        continue
      }
      switch words.first {
      case "started":
        if !started.insert(job).inserted { violations.append("\(job) was started twice") }
        if job.attempt > 1, !allowed.contains(job) { violations.append("\(job) was started unasked") }
        recent.append(job)
      case "done": done.insert(job)
      case "interrupted":
        interruptions += 1
        if forgotten.contains(job.key) { violations.append("\(job) was not forgotten") }
        reported.insert(job.key)
      case "again": allowed.insert(job)
      case "gave-up": givenUp.insert(job.key)
      case "forgotten": forgotten.insert(job.key)
      case "refused": refusals += 1
      default: violations.append(line)
      }
    }
  }
}

@Suite struct KilledWorkTests {
  @Test(
    "killed at random moments, a program is told all work that had begun, and repeats none unless it says so",
    arguments: [true, false])
  func killed(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let path = folder.file("ledger")
    let chronicle = try await onOwnThread {
      var random = SystemRandomNumberGenerator()
      var chronicle = Chronicle()
      // On a fast machine fewer moments are those in which work is under way: it goes on until there were enough.
      for life in 1...1000 where life <= TestSize.count(10, full: 100) || !chronicle.hasEnough {
        let restored = chronicle.recent.suffix(8).map(\.description)
        let child = try ProbeProcess(["work", path, "\(life)"] + restored)
        var lines: [String] = []
        for _ in 0..<Int.random(in: 0...40, using: &random) { lines.append(child.line() ?? "ended") }
        spin(turns: Int.random(in: 0...100_000, using: &random))
        child.kill()
        lines += child.lines()
        chronicle.lived(lines)
      }
      return chronicle
    }
    #expect(chronicle.violations.isEmpty)
    #expect(chronicle.hasEnough)
  }
}
