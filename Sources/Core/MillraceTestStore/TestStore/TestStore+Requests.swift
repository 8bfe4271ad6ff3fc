extension TestStore {
  // MARK: Runs in progress

  /// The requests in progress, in the order in which their runs began.
  public var running: [AnyHashable] { inProgress().all.map { AnyHashable($0) } }

  /// Asserts that exactly these requests are in progress, in any order.
  ///
  /// ```swift
  /// store.expect(running: "swift")
  /// ```
  ///
  /// - Parameters:
  ///   - requests: the requests.
  ///   - part: if given, only requests connected in the lifetime of the element or optional value with this id count.
  ///   - name: if given, only requests of connections with this name count.
  public func expect<each Request: Hashable & Sendable>(
    running requests: repeat each Request, in part: AnyHashable? = nil, named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    var names: [AnyHashable] = []
    for request in repeat each requests { names.append(AnyHashable(request)) }
    expect(running: names, part, name, at: place)
  }

  /// Asserts that exactly the requests of an array are in progress, in any order.
  public func expect(
    running requests: [some Hashable & Sendable], in part: AnyHashable? = nil, named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    expect(running: requests.map { AnyHashable($0) }, part, name, at: place)
  }

  /// Asserts that exactly these requests were stopped since the last such assertion, in any order. A request is stopped
  /// if another action withdrew or replaced it, or if its connection or part ended. A request that its own run has
  /// answered is not stopped. Requests that the test has named before may be left out.
  ///
  /// - Parameters:
  ///   - requests: the requests.
  ///   - part: if given, only requests connected in the lifetime of the element or optional value with this id count.
  ///   - name: if given, only requests of connections with this name count.
  public func expect<each Request: Hashable & Sendable>(
    stopped requests: repeat each Request, in part: AnyHashable? = nil, named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    var names: [AnyHashable] = []
    for request in repeat each requests { names.append(AnyHashable(request)) }
    expect(stopped: names, part, name, at: place)
  }

  /// Asserts that exactly the requests of an array were stopped since the last such assertion, in any order.
  public func expect(
    stopped requests: [some Hashable & Sendable], in part: AnyHashable? = nil, named name: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    expect(stopped: requests.map { AnyHashable($0) }, part, name, at: place)
  }

  private func expect(
    running requests: [AnyHashable], _ part: AnyHashable?, _ name: String?, at place: TestPlace
  ) {
    let step = begin("expect(running:)", at: place)
    defer { end(step) }
    let found = session.book.withLock { book in
      defer { book.name { $0.ending == nil && $0.isOf(part, name) } }
      return book.running.filter { $0.isOf(part, name) }
    }
    compare(requests, with: found, "in progress", at: place)
  }

  private func expect(
    stopped requests: [AnyHashable], _ part: AnyHashable?, _ name: String?, at place: TestPlace
  ) {
    let step = begin("expect(stopped:)", at: place)
    defer { end(step) }
    let found = session.book.withLock { $0.takeStopped(in: part, named: name) }.filter { run in
      !run.isNamed || requests.contains(AnyHashable(run.request))
    }
    compare(requests, with: found, "stopped", at: place)
  }

  private func compare(
    _ requests: [AnyHashable], with found: [TestBook<State, Action>.Seen], _ what: String, at place: TestPlace
  ) {
    var missing = requests
    var unexpected: [TestBook<State, Action>.Seen] = []
    for run in found {
      let index = missing.firstIndex(of: AnyHashable(run.request))
      if let index { missing.remove(at: index) } else { unexpected.append(run) }
    }
    if missing.isEmpty, unexpected.isEmpty { return }
    let others = unexpected.map { AnyHashable($0.request) }
    let book = session.book.withLock { book in
      for run in unexpected { book.excuse(run.id) }
      return book
    }
    let lines =
      missing.map { request in
        let sought = RunSelection(request)
        let answer =
          book.placeOfAnswer(to: sought).map { ", answered at \($0)" }
          ?? book.actionThatAnswered(sought).map { ", answered by its own action \($0)" } ?? ""
        return "  not \(what): \(request.text(besides: others))\(answer)"
      }
      + unexpected.map { run in
        let ending = run.ending.map { ", \(book.text(of: $0))" } ?? ""
        return "  not expected: \(run.text(besides: missing))\(ending)"
      }
    fail("The requests \(what) are not as expected:\n\n\(lines.joined(separator: "\n"))", at: place)
  }
}
