extension StoreActivity {
  /// The largest number of entries, and of pieces of work of one entry, that are listed. The others are counted.
  fileprivate static let most = 20

  /// The activity as lines of text. If there are more than 20 entries, those with work come first, and 20 are listed.
  public var description: String {
    let head = "\(name): \(reduced) reduced, \(fenced) fenced, \(refused) refused, \(waiting) waiting"
    let all = entries.count > Self.most ? busy + entries.filter { !$0.isBusy } : entries
    var lines = all.prefix(Self.most).flatMap { $0.description.split(separator: "\n").map(String.init) }
    let rest = all.dropFirst(Self.most)
    if !rest.isEmpty { lines.append("and \(rest.count) more, \(rest.count(where: \.isBusy)) with work") }
    return ([head] + lines.map { "  \($0)" }).joined(separator: "\n")
  }

  /// The connections that have work in progress.
  package var busy: [Entry] { entries.filter(\.isBusy) }

  /// The work in progress below its connections as lines of text; `nil` if there is none.
  ///
  /// - Parameter limit: the number of pieces of work to name. The text says how many more there are.
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

  fileprivate var head: String {
    "\(connection.name) on \(slice) at \(connection.site)\(isConnected ? "" : ", disconnected")"
  }

  /// The entry as lines of text, with its work below the component.
  public var description: String {
    let listed = work.prefix(StoreActivity.most).map { "  \($0)" }
    let rest = work.count > listed.count ? ["  and \(work.count - listed.count) more"] : []
    return ([head] + listed + rest).joined(separator: "\n")
  }
}
