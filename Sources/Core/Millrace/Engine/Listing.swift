extension Engine {
  /// Returns the activity of everything connected through `account`. The user's values are described with no lock held.
  func activity(of account: Account, where isListed: (Connected) -> Bool = { _ in true }) -> StoreActivity {
    let (counts, listed, waits) = locked {
      // Copied under the lock: a wait that ended meanwhile would copy the table under it.
      let (refused, posted, waits) = mail.withLock {
        ($0.refused, $0.envelopes.count, Array($0.waits.values))
      }
      let ended = endings.unfinished.values.filter { $0.account.isWithin(account) }
      return (
        (reduced: turn.sequence, fenced: turn.fenced, refused: refused, waiting: posted + inbox.waitingCount),
        allConnected(in: account) + ended, waits
      )
    }
    // In portions, so that readers of the state get the lock in between.
    var entries: [(Connected, SlicePath?, isServed: Bool, [WorkNote])] = []
    for start in stride(from: 0, to: listed.count, by: 4_096) {
      entries += locked {
        listed[start...].prefix(4_096).filter(isListed).map { connected in
          (connected, connected.path, connected.isServed, updates.withLock { _ in connected.workNotes })
        }
      }
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
