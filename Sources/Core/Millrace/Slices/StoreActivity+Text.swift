extension StoreActivity {
  /// The activity as lines of text.
  public var description: String {
    let head = "\(name): \(reduced) reduced, \(fenced) fenced, \(refused) refused, \(waiting) waiting"
    return ([head] + foldedLines.map { "  \($0)" }).joined(separator: "\n")
  }

  /// How many equal entries without work are listed one by one, and how many entries and pieces of work of one kind before
  /// the rest is counted.
  private static let (mostIdle, most) = (3, 8)

  /// What entries that are folded have in common.
  private struct EntryKind: Hashable {
    let name: String
    let place: String
    let site: CallSite
    let isConnected: Bool
    let isBusy: Bool

    init(_ entry: Entry) {
      name = entry.connection.name
      place = entry.place
      site = entry.connection.site
      isConnected = entry.isConnected
      isBusy = entry.isBusy
    }
  }

  private var foldedLines: [String] {
    let groups = Dictionary(grouping: entries.indices) { EntryKind(entries[$0]) }
    var lines: [String] = []
    for (index, entry) in entries.enumerated() {
      let group = groups[EntryKind(entry)] ?? []
      if !entry.isBusy, group.count > Self.mostIdle {
        if group.first == index { lines.append("\(entry.headOfMany), \(group.count) times, without work") }
        continue
      }
      // By place in the group: indices are in order.
      guard let first = group.first, let last = group.dropFirst(Self.most - 1).first ?? group.last else {
        continue
      }
      guard (first...last).contains(index) else { continue }
      lines += entry.description.split(separator: "\n").map(String.init)
      if index == last, group.count > Self.most {
        lines.append("\(entry.headOfMany), \(group.count - Self.most) more with work")
      }
    }
    return lines
  }

  /// The connections that have work in progress.
  package var busy: [Entry] { entries.filter(\.isBusy) }

  /// The work in progress below its connections as lines of text; `nil` if there is none.
  ///
  /// - Parameter limit: how many pieces of work are named. How many more there are is said.
  package func busyText(atMost limit: Int) -> String? {
    var lines: [String] = []
    var rest = limit
    var left = 0
    for entry in busy {
      let work = entry.work.filter { $0.phase != .finished }
      left += max(0, work.count - rest)
      if rest > 0 { lines += [entry.head] + work.prefix(rest).map { "  \($0)" } }
      rest = max(0, rest - work.count)
    }
    if left > 0 { lines.append("and \(left) more") }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}

extension StoreActivity.Entry {
  fileprivate var isBusy: Bool { work.contains { $0.phase != .finished } }
  var head: String { head(on: slice) }
  fileprivate var headOfMany: String { head(on: place) }

  private func head(on slice: String) -> String {
    "\(connection.name) on \(slice) at \(connection.site)\(isConnected ? "" : ", disconnected")"
  }

  /// What pieces of work that are folded have in common.
  private struct WorkKind: Hashable {
    let phase: StoreActivity.Work.Phase
    let waits: Bool
  }

  /// How many pieces of work of one kind are listed before the rest is counted.
  private static let most = 8

  var foldedWork: [String] {
    var counts: [WorkKind: Int] = [:]
    var lines: [String] = []
    for piece in work {
      let kind = WorkKind(phase: piece.phase, waits: !piece.waitsFor.isEmpty)
      counts[kind, default: 0] += 1
      if counts[kind, default: 0] <= Self.most { lines.append("\(piece)") }
    }
    let phases: [StoreActivity.Work.Phase] = [.running, .starting, .stopping, .finished]
    for phase in phases {
      for waits in [true, false] {
        let more = counts[WorkKind(phase: phase, waits: waits), default: 0] - Self.most
        if more > 0 { lines.append("and \(more) more \(phase.rawValue)\(waits ? ", which wait" : "")") }
      }
    }
    return lines
  }
}
