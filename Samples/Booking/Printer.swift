import MillraceSystem

/// Writes lines to standard output and returns when they are written. A slow reader blocks no thread of the pool, since
/// the writer has its own queue.
actor Printer {
  private var log = LineLog()
  private let writer = LineWriter()

  /// - Throws: a `TerminalFailure` if the lines cannot be written, for instance because the reader has closed the pipe.
  func write(_ lines: [String]) async throws(TerminalFailure) {
    for line in lines { log.append(line) }
    await writer.update(log)
    if let failure = await writer.failure { throw failure }
    log.removeLines(before: log.nextNumber)
  }
}
