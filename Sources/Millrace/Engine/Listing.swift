extension Engine {
  /// The activity of what is connected through `scope`. What the user's values read like is found out with no lock held.
  func activity(of scope: Scope, where isListed: (Attachment) -> Bool = { _ in true }) -> StoreActivity {
    let (counts, entries) = locked {
      let (refused, posted) = mail.withLock { ($0.refused, $0.envelopes.count) }
      let ended = unfinished.values.filter { $0.scope.isWithin(scope) }
      let listed = (attachments(in: scope) + ended).filter(isListed)
      return (
        (reduced: sequence, fenced: fenced, refused: refused, waiting: posted + host.waitingCount),
        listed.map { ($0, $0.node?.path ?? "-", $0.phase == .connected, workNotes(of: $0)) }
      )
    }
    return StoreActivity(
      name: name, reduced: counts.reduced, fenced: counts.fenced, refused: counts.refused,
      waiting: counts.waiting,
      entries: entries.sorted { $0.0.id < $1.0.id }.map {
        StoreActivity.Entry($0.0, $0.1, isConnected: $0.2, $0.3)
      })
  }

  /// What an attachment does at this moment. The turn lock must be held.
  func workNotes(of attachment: Attachment) -> [WorkNote] {
    guard attachment.isDisplay else { return attachment.binding?.workNotes ?? [] }
    let isActive = updates.withLock {
      attachment.asDisplay?.conflation.isActive ?? attachment.asView?.isActive
    }
    if isActive != true { return [] }
    let work = attachment.asView == nil ? "update" : "props"
    return [WorkNote(phase: .running, generation: nil, request: .plain(work))]
  }
}

extension StoreActivity.Entry {
  init(_ attachment: Attachment, _ slice: String, isConnected: Bool, _ notes: [WorkNote]) {
    self.init(
      connection: attachment.identity, slice: slice,
      work: notes.map { note in
        StoreActivity.Work(phase: note.phase, generation: note.generation, request: note.request.text)
      },
      isConnected: isConnected)
  }
}
