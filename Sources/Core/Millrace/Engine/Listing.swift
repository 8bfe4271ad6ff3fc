extension Engine {
  /// Returns the activity of everything connected through `account`. The user's values are described with no lock held.
  func activity(of account: Account, where isListed: (Connected) -> Bool = { _ in true }) -> StoreActivity {
    let (counts, entries, waits) = locked {
      // Copied under the lock, since whoever ends a wait meanwhile would copy the table under it.
      let (refused, posted, waits) = mail.withLock {
        ($0.refused, $0.envelopes.count, Array($0.waits.values))
      }
      let ended = endings.unfinished.values.filter { $0.account.isWithin(account) }
      let listed = (allConnected(in: account) + ended).filter(isListed)
      return (
        (reduced: turn.sequence, fenced: turn.fenced, refused: refused, waiting: posted + inbox.waitingCount),
        listed.map { connected in
          (connected, connected.path, connected.isServed, updates.withLock { _ in connected.workNotes })
        },
        waits
      )
    }
    let waitsOfWork = Dictionary(grouping: waits, by: \.work.key)
    let names = SliceNames()
    return StoreActivity(
      name: name, reduced: counts.reduced, fenced: counts.fenced, refused: counts.refused,
      waiting: counts.waiting,
      entries: entries.sorted { $0.0.id < $1.0.id }.map { connected, path, isServed, notes in
        StoreActivity.Entry(
          connection: connected.identity, slice: path?.text(names) ?? "-",
          work: notes.map { note in
            let waits = waitsOfWork[note.generation.map { .run($0) } ?? .update(of: connected.id)] ?? []
            return StoreActivity.Work(
              phase: note.phase, generation: note.generation, startedBy: note.startedBy,
              request: note.text(), waitsFor: note.phase == .finished ? [] : waits.texts,
              waitsForTest: waits.innermost.contains { $0.endsBy == .byTest })
          },
          isConnected: isServed)
      })
  }
}
