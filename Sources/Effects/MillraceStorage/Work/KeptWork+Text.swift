import Foundation
import MillraceSpelling

extension KeptWork {
  /// A text about the file for people: the waiting entries of each lane, and the reasons. It names the first entry and
  /// the rejected ones of each lane. Ages are counted up to `now`.
  public func text(now: Date = Date()) -> String {
    let byLane = Dictionary(grouping: entries) { $0.lane }
    let (values, waiting) = (byLane[nil]?.count ?? 0, lanes.reduce(0) { $0 + $1.waiting })
    let counts =
      switch kind {
      case .outbox:
        "\(lanes.count) lanes, \(waiting) waiting, \(lanes.reduce(0) { $0 + $1.rejected }) rejected, "
      case .ledger: "\(ended) ended, begun and not ended: "
      case .journal: ""
      }
    var lines = ["\(path): \(kind.rawValue), \(counts)\(values)\(kind == .ledger ? "" : " values")"]
    for lane in lanes {
      let age = lane.oldest.map { ", oldest \(span(from: $0, to: now))" } ?? ""
      let paused = lane.isPaused ? ", paused" : ""
      lines.append("  lane \(lane.name.debugDescription): \(lane.waiting) waiting\(age)\(paused)")
      var isFirst = true
      for entry in byLane[lane.name] ?? [] where entry.condition == .rejected || isFirst {
        if entry.condition != .rejected { isFirst = false }
        lines.append("    \(entry.summary(now))")
      }
    }
    if kind == .ledger { lines += entries.map { "  \($0.summary(now))" } }
    lines += commands.map { "  asked for and not taken up: \($0.change)" }
    lines += others.map { "  not understood among what is asked for: \($0)" }
    return lines.map { Spelling.visible($0) }.joined(separator: "\n")
  }
}

extension KeptWork.Entry {
  /// A text about the entry for people, with everything that is known of it, and its payload. Ages are counted up to
  /// `now`.
  public func text(now: Date = Date()) -> String {
    let dates = written.map { ["written \($0.formatted(.iso8601)) (\(span(from: $0, to: now)))"] } ?? []
    let lines = [summary(now)] + (lane.map { ["lane \($0.debugDescription)"] } ?? []) + dates
    return (lines + ["payload \(json)"]).map { Spelling.visible($0) }.joined(separator: "\n")
  }

  fileprivate func summary(_ now: Date) -> String {
    var words = "\(key): \(condition.rawValue)"
    if attempts > 0 { words += condition == .begun ? ", attempt \(attempts)" : ", attempts: \(attempts)" }
    if let changed { words += ", last change \(span(from: changed, to: now))" }
    if let until { words += ", until \(until.formatted(.iso8601)) (\(span(from: until, to: now)))" }
    return words + (failure.map { ": \($0)" } ?? "")
  }
}

private func span(from date: Date, to now: Date) -> String {
  let seconds = now.timeIntervalSince(date)
  let count = Int(min(abs(seconds), 1e12))
  let words =
    switch count {
    case ..<120: "\(count) s"
    case ..<7200: "\(count / 60) min"
    case ..<172_800: "\(count / 3600) h"
    default: "\(count / 86400) days"
    }
  return seconds < 0 ? "in \(words)" : "\(words) ago"
}
