extension TraceLine {
  /// The line in the form for people; `nil` if it has nothing for them.
  package var shortText: String? {
    let moment = time.map { TimeText.moment($0) + "  " } ?? ""
    return words.map { moment + $0 }
  }

  private var words: String? {
    switch self {
    case .header(let header):
      return "\(header.program) of \(header.store), process \(header.process), part \(header.part)"
    case .action(let action):
      let cause = action.cause.run.map { " from run #\($0)" } ?? " from \(action.cause.site)"
      return "action \(action.shortText)\(cause)"
    case .run(let line): return line.words
    case .turnedAway(let line):
      return "\(line.fate) \(line.kind)" + (line.cause.run.map { " of run #\($0)" } ?? "")
    case .connection(let line):
      let word = line.isConnected ? "connected" : "disconnected"
      return "\(word) \(line.connection.name) at \(line.connection.site)"
    case .updated(let connection, let sequence, _): return "updated #\(connection) after action \(sequence)"
    case .wait(let line):
      return line.reason.map { "run #\(line.generation) waits for \($0)" }
        ?? "run #\(line.generation) waits no more"
    case .snapshot(let line): return "snapshot after action \(line.sequence)"
    case .gap(let line): return "gap: \(line.lost) events are missing"
    case .closing: return "the store is shutting down"
    case .note(let note): return note.words
    case .end: return "the end"
    case .unknown: return nil
    }
  }
}

extension RunLine {
  fileprivate var words: String {
    switch event {
    case .start(let start):
      "started \(start.name) #\(generation) (\(start.request.text))"
        + (start.startedBy.map { " by action \($0)" } ?? "")
    case .handOver(let request): "run #\(generation) gets \(request.text)"
    case .returned(let fenced): "run #\(generation) returned" + (fenced > 0 ? ", \(fenced) fenced" : "")
    case .finish, .answer, .withdraw, .disconnect, .fail: "run #\(generation) \(event.ending)"
    }
  }
}

extension RunLine.Event {
  /// How the run ended, in words.
  var ending: String {
    switch self {
    case .finish: "finished"
    case .answer(let action): "answered by its action \(action)"
    case .withdraw(let action): "withdrawn by action \(action)"
    case .disconnect: "disconnected"
    case .fail(let error): "failed with \(error)"
    case .start, .handOver, .returned: "?"
    }
  }
}
