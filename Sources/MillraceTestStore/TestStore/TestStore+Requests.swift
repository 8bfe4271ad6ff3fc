import Millrace
import MillraceTesting

extension TestStore {
  // MARK: What runs

  /// The requests in progress, in the order in which their runs began.
  public var running: [AnyHashable] {
    session.book.withLock { $0.running.map { AnyHashable($0.identity.request) } }
  }

  /// Asserts that exactly these requests are in progress, in any order.
  ///
  /// ```swift
  /// store.expect(running: "swift", PollRequest(every: .seconds(5)))
  /// ```
  public func expect(
    running requests: any Hashable & Sendable..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expect(requests, fileID, filePath, line, column, "in progress") { $0.phase == .running }
  }

  /// Asserts that exactly these requests were stopped since the last such assertion, in any order: they had been in
  /// progress, unanswered, when the state no longer asked for them.
  public func expect(
    stopped requests: any Hashable & Sendable..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    expect(requests, fileID, filePath, line, column, "stopped") { $0.phase == .stopped }
  }

  private func expect(
    _ requests: [any Hashable & Sendable], _ fileID: StaticString, _ filePath: StaticString, _ line: UInt,
    _ column: UInt, _ what: String, where isSought: (TestBook<State, Action>.Seen) -> Bool
  ) {
    let found = session.book.withLock { book in
      let found = book.runs.filter(isSought)
      book.name(where: isSought)
      return found
    }
    var missing = requests.map { AnyHashable($0) }
    var unexpected: [String] = []
    for run in found {
      let index = missing.firstIndex(of: AnyHashable(run.identity.request))
      if let index { missing.remove(at: index) } else { unexpected.append("  not expected: \(run.text)") }
    }
    if missing.isEmpty, unexpected.isEmpty { return }
    let lines = missing.map { "  not \(what): \(Spelling.text(of: $0.base))" } + unexpected
    fail(
      "The requests \(what) are not as expected:\n\n\(lines.joined(separator: "\n"))",
      at: TestPlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
