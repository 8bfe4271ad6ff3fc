import Foundation

@testable import MillraceStorage
@testable import storageprobe

/// An operation of the program `storageprobe`, what is there before it, and what must be there after it.
enum FaultScenario: String, CaseIterable {
  case save
  case firstSave
  case append
  case firstAppend
  case compact
  case work
  case firstWork

  /// The name by which the program knows it.
  var operation: String {
    switch self {
    case .save, .firstSave: "save"
    case .append, .firstAppend: "append"
    case .compact: "compact"
    case .work, .firstWork: "work"
    }
  }

  /// Makes what is there before.
  func prepare(_ path: String) throws {
    switch self {
    case .firstSave, .firstAppend, .firstWork: break
    case .save:
      var files = StorageFiles<[Int]>(path, format: .json(), disk: PosixDisk())
      for generation: UInt64 in 1...2 { try files.save(Faults.value(generation), generation: generation) }
    case .append, .compact:
      var files = journal(path)
      for number in 0..<(self == .compact ? 40 : 2) {
        try files.append([("old", .set("\(number)")), ("kept", .set("kept")), ("last", .set("0"))])
      }
    case .work:
      var files = ledger(path)
      for key: LedgerKey in ["open", "ended"] { _ = try files.begin(0, key: key, attempt: 1) }
      try files.end("ended", attempt: 1)
    }
  }

  /// What is wrong with what is there after the program has said some lines; empty if nothing is.
  func violations(_ path: String, after lines: [String]) throws -> [String] {
    let done = Set(lines.filter { $0.hasPrefix("done ") }.map { $0.dropFirst(5) })
    switch self {
    case .save, .firstSave: return try violationsOfSaves(path, done)
    case .append, .firstAppend, .compact: return try violationsOfAppends(path, done)
    case .work, .firstWork: return try violationsOfWork(path, done, lines)
    }
  }

  // MARK: What must be there

  private func violationsOfSaves(_ path: String, _ done: Set<Substring>) throws -> [String] {
    var files = StorageFiles<[Int]>(path, format: .json(), disk: PosixDisk())
    let stored = try files.load()
    let acknowledged = done.compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }.max() ?? 0
    let least = max(acknowledged, self == .save ? 2 : 0)
    var violations: [String] = []
    if stored.generation < least { violations.append("\(stored.generation) is stored, of \(least)") }
    if stored.generation > 0, stored.value != Faults.value(stored.generation) {
      violations.append("\(stored) was never saved")
    }
    if !stored.damaged.isEmpty { violations.append("damaged: \(stored.damaged)") }
    try files.save([7], generation: 99)
    if try files.load().value != [7] { violations.append("no save afterwards") }
    return violations
  }

  private func violationsOfAppends(_ path: String, _ done: Set<Substring>) throws -> [String] {
    var files = journal(path)
    let stored = try files.load()
    var entries = stored.entries
    var violations = stored.damaged.map { "damaged: \($0)" }
    var newest: Int?
    for number in 1...4 {
      let isThere = entries["a\(number)"] != nil
      if !isThere, done.contains("append \(number)") { violations.append("\(number) is missing") }
      guard isThere else { continue }
      newest = number
      for (key, change) in Faults.changes(number) where key != "last" && key != "old" {
        if entries.removeValue(forKey: key) != change.value { violations.append("\(key) is wrong") }
      }
    }
    let had = self == .firstAppend ? nil : "0"
    if entries["last"] != newest.map(String.init) ?? had { violations.append("another is last") }
    if newest != nil, entries["old"] != nil { violations.append("what was removed is there") }
    if newest == nil, entries["old"] != (self == .append ? "1" : self == .compact ? "39" : nil) {
      violations.append("what is old is not there")
    }
    if entries["kept"] != (self == .firstAppend ? nil : "kept") {
      violations.append("what is kept is not there")
    }
    let others = entries.keys.filter { !["last", "old", "kept"].contains($0) }
    if !others.isEmpty { violations.append("\(others) were never appended whole") }
    try files.append([("new", .set("new"))])
    files.close()
    let again = try files.load()
    if again.entries["new"] != "new" { violations.append("no append afterwards") }
    if !again.damaged.isEmpty { violations.append("damaged by an append: \(again.damaged)") }
    return violations
  }

  private func violationsOfWork(
    _ path: String, _ done: Set<Substring>, _ lines: [String]
  ) throws -> [String] {
    var files = ledger(path)
    let opening = try files.open()
    var violations = opening.damaged.map { "damaged: \($0)" }
    let interrupted = Set(opening.interrupted.map(\.key))
    if self == .work, !interrupted.contains("open") { violations.append("what was open is not told") }
    for number in 1...4 where done.contains("begin \(number)") {
      // Its end was on the medium when nothing came to do any more, unless that was told to have failed.
      let mustHaveEnded = lines.contains("settled \(number)") && !lines.contains { $0.hasPrefix("failed ") }
      let verdict = try files.begin(0, key: LedgerKey("\(number)"), attempt: 1)
      if verdict == .begun { violations.append("\(number) would begin again") }
      if verdict != .ended, mustHaveEnded { violations.append("\(number) has not ended") }
    }
    if self == .work, try files.begin(0, key: "ended", attempt: 1) != .ended {
      violations.append("an end is missing")
    }
    if try files.begin(0, key: "new", attempt: 1) != .begun { violations.append("no work afterwards") }
    files.close()
    let again = try files.open()
    if !again.damaged.isEmpty { violations.append("damaged by work: \(again.damaged)") }
    if !again.interrupted.contains(where: { $0.key == "new" }) { violations.append("the work is not told") }
    return violations
  }

  private func journal(_ path: String) -> JournalFiles<String, String> {
    JournalFiles(path, format: .json(), disk: PosixDisk())
  }

  private func ledger(_ path: String) -> LedgerFiles<Int> {
    LedgerFiles(path, format: .json(), remembering: 100, disk: PosixDisk())
  }
}
