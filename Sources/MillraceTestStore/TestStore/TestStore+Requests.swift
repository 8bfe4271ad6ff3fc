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
  /// store.expect(running: "swift")
  /// ```
  public func expect<each Request: Hashable & Sendable>(
    running requests: repeat each Request, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    var names: [AnyHashable] = []
    for request in repeat each requests { names.append(AnyHashable(request)) }
    expect(running: names, at: place)
  }

  /// Asserts that exactly the requests of an array are in progress, in any order.
  public func expect(
    running requests: [some Hashable & Sendable], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    expect(running: requests.map { AnyHashable($0) }, at: place)
  }

  /// Asserts that exactly these requests were stopped since the last such assertion, in any order: they had been in
  /// progress when the state no longer asked for them. A request that the test has named before may be left out.
  public func expect<each Request: Hashable & Sendable>(
    stopped requests: repeat each Request, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    var names: [AnyHashable] = []
    for request in repeat each requests { names.append(AnyHashable(request)) }
    expect(stopped: names, at: place)
  }

  /// Asserts that exactly the requests of an array were stopped since the last such assertion, in any order.
  public func expect(
    stopped requests: [some Hashable & Sendable], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    expect(stopped: requests.map { AnyHashable($0) }, at: place)
  }

  private func expect(running requests: [AnyHashable], at place: TestPlace) {
    let found = session.book.withLock { book in
      defer { book.name { $0.ending == nil } }
      return book.running
    }
    compare(requests, with: found, "in progress", at: place)
  }

  private func expect(stopped requests: [AnyHashable], at place: TestPlace) {
    let found = session.book.withLock { $0.takeStopped() }.filter { run in
      !run.isNamed || requests.contains(AnyHashable(run.identity.request))
    }
    compare(requests, with: found, "stopped", at: place)
  }

  private func compare(
    _ requests: [AnyHashable], with found: [TestBook<State, Action>.Seen], _ what: String, at place: TestPlace
  ) {
    var missing = requests
    var unexpected: [String] = []
    for run in found {
      let index = missing.firstIndex(of: AnyHashable(run.identity.request))
      if let index { missing.remove(at: index) } else { unexpected.append("  not expected: \(run.text)") }
    }
    if missing.isEmpty, unexpected.isEmpty { return }
    let lines = missing.map { "  not \(what): \(Spelling.text(of: $0.base))" } + unexpected
    fail("The requests \(what) are not as expected:\n\n\(lines.joined(separator: "\n"))", at: place)
  }
}
