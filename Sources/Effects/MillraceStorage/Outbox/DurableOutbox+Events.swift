import Foundation
import Millrace

extension DurableOutbox {
  /// Asks for the failed load or append of the journal again.
  public mutating func retry() { backlog.retry() }

  /// Applies an event of the ``DurableOutboxEffect``. O(1). A rejection costs O(n) in the length of the lane, and a
  /// reached moment O(n log n) in the number of entries that wait for one.
  ///
  /// An event about an entry that has left the outbox, or was replaced, changes nothing.
  public mutating func reduce<Answer>(_ event: DurableOutboxEvent<Answer>) {
    switch event {
    case .confirmed(let key, _): remove(key)
    case .rejected(let key, let reason):
      guard let entry = all[key], !entry.status.isRejected else { return }
      lanes[entry.lane]?.remove(key)
      set(OutboxStatus(attempts: entry.status.attempts + 1, failure: reason, isRejected: true), of: key)
    case .returned(let key, _, let next):
      guard var status = all[key]?.status, !status.isRejected else { return }
      status.attempts += 1
      (status.wait, status.next) = (.decision, next)
      set(status, of: key)
    case .failed(let key, let failure, let next):
      guard var status = all[key]?.status, !status.isRejected else { return }
      (status.attempts, status.failure, status.wait) = (status.attempts + 1, failure, .until(next))
      set(status, of: key)
    case .reached(let moment):
      let reached = moments.filter { $0.value <= moment }
      // All are removed first, so that the next moment is searched for once.
      for key in reached.keys { moments[key] = nil }
      due.moment = moments.values.min()
      for key in reached.keys.sorted(by: isBefore) {
        guard let status = all[key]?.status else { continue }
        // A failed entry is tried again at once after a load too, since its moment has passed. So its status is not
        // written.
        if status.attempts > 0 { show(status.released, of: key) } else { set(status.released, of: key) }
      }
    case .commanded(let commands): take(commands)
    }
  }

  /// Applies each new command once. Their names are saved in one step with their results.
  private mutating func take(_ commands: [WorkCommand]) {
    guard isLoaded else { return }
    due.commands?.isKnown = true
    let new = commands.filter { !taken.contains($0.name) }
    guard !new.isEmpty else { return }
    // The files of all other commands were removed.
    taken.formIntersection(commands.map(\.name))
    for command in new {
      taken.insert(command.name)
      switch command.change {
      case .retry(let key):
        guard let key = OutboxKey(key) else { break }
        if rejected.contains(key) {
          putBack(key)
        } else if let status = all[key]?.status {
          set(status.released, of: key)
        }
      case .dismiss(let key, _): if let key = OutboxKey(key) { remove(key) }
      case .pause(let lane): pause(lane: lane)
      case .resume(let lane): resume(lane: lane)
      }
    }
    claim()
  }

  /// Applies an event of the ``JournalEffect``. Costs what the event saves or loads.
  public mutating func reduce(_ event: Journal) {
    let (wasLoaded, changes) = (isLoaded, backlog.keys(upTo: event.savedGeneration))
    backlog.reduce(event)
    if case .loaded(let stored) = event, !wasLoaded { load(stored) }
    let saved = changes.filter { !backlog.isUnsaved($0) }
    for case .entry(let key) in saved {
      if let lane = all[key]?.lane { refresh(lane) }
    }
    if saved.contains(.numbers) { due.commands?.saved = taken }
    if wasLoaded, !isLoaded { arrange() }
  }

  private mutating func load(_ stored: Stored) {
    var records = stored.entries
    let changes = backlog.changes
    for (key, change) in changes { records[key] = change.value }
    records[.numbers] = stored.entries[.numbers]
    damaged += stored.damaged
    let (own, isFirst, begins) = ((epoch, lastNumber), claimed == 0, changes[.numbers] != nil)
    let unsavedCommands = begins ? taken : []
    fill(records)
    taken.formUnion(unsavedCommands)
    // The reducer no longer knows what the receiver returned.
    for (key, entry) in all where entry.status.wait == .decision { show(entry.status.decided, of: key) }
    // A clock behind the stored numbers shows that the new numbers may have been used before.
    let last = lastNumber
    if begins || last >= own.1 || !stored.damaged.isEmpty { epoch = own.0 }
    lastNumber = max(last, own.1, all.keys.map(\.number).max() ?? 0)
    // Such numbers do not give the order of the entries either.
    let new = entries.filter { isFirst && backlog.isUnsaved(.entry($0.key)) && places[$0.key] == nil }
    if new.count < all.count, let least = new.first?.key.number, least <= last {
      for entry in new {
        lastNumber += 1
        insert(entry, at: Int(clamping: lastNumber))
      }
      arrange()
    }
    if begins || all.keys.contains(where: { backlog.isUnsaved(.entry($0)) }) { claim() }
    let formers = formers
    self.formers = []
    for former in formers { adopt(former) }
  }

  /// Replaces the contents by those of records, and computes the other properties from them and the backlog. O(n log n)
  mutating func fill(_ records: Records) {
    (values, all, rejected, moments, lanes) = ([:], [:], [], [:], [:])
    (adopted, places, taken) = ([], [:], [])
    for (key, record) in records {
      switch (key, record) {
      case (.value(let key), .value(let value)): values[key] = value
      case (.paused(let lane), .paused): lanes[lane, default: OutboxLane()].isPaused = true
      case (.numbers, .numbers(let epoch, let last, let taken)):
        (self.epoch, lastNumber, claimed, self.taken) = (epoch, last, last, taken ?? [])
      case (.adopted(let epoch), .adopted): adopted.insert(epoch)
      case (.entry(let key), .entry(let payload, let lane, let place)):
        var status = OutboxStatus()
        if case .status(let found) = records[.status(key)] { status = found }
        all[key] = Entry(key: key, lane: lane, payload: payload, status: status)
        places[key] = place
        if status.isRejected { rejected.insert(key) }
        if case .until(let moment) = status.wait { moments[key] = moment }
      default: break
      }
    }
    due.commands = isLoaded ? TakenCommands(saved: taken) : nil
    arrange()
  }
}

extension JournalEvent {
  /// The number of the newest change on disk according to the event.
  fileprivate var savedGeneration: UInt64 {
    switch self {
    case .saved(let generation), .savedPartly(let generation, _, _): generation
    case .loaded, .failed: 0
    }
  }
}
