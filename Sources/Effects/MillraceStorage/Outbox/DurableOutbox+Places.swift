import Foundation
import Millrace

extension DurableOutbox {
  func isBefore(_ left: OutboxKey, _ right: OutboxKey) -> Bool {
    func place(_ key: OutboxKey) -> Int { places[key] ?? Int(clamping: key.number) }
    return (place(left), left.number, left.revision, left.epoch)
      < (place(right), right.number, right.revision, right.epoch)
  }

  /// Reserves numbers in the file, so that an entry does not cost a second record.
  mutating func claim() {
    claimed = lastNumber + 1000
    backlog.set(numbers(last: claimed), for: .numbers)
  }

  func numbers(last: UInt64) -> OutboxRecord<Payload, Value> {
    .numbers(epoch: epoch, last: last, taken: taken.isEmpty ? nil : taken)
  }

  mutating func insert(_ entry: Entry, at place: Int? = nil) {
    (all[entry.key], places[entry.key]) = (entry, place)
    backlog.set(.entry(entry.payload, lane: entry.lane, place: place), for: .entry(entry.key))
  }

  mutating func forget(_ entry: Entry) {
    (all[entry.key], places[entry.key]) = (nil, nil)
    rejected.remove(entry.key)
    setMoment(nil, of: entry.key)
    backlog.remove(.entry(entry.key))
    if entry.status != OutboxStatus() { backlog.remove(.status(entry.key)) }
  }

  /// Changes the status of an entry, in memory and in the file.
  mutating func set(_ status: OutboxStatus, of key: OutboxKey) {
    if let former = all[key]?.status, former != status {
      if status == OutboxStatus() {
        backlog.remove(.status(key))
      } else {
        backlog.set(.status(status), for: .status(key))
      }
    }
    show(status, of: key)
  }

  /// Changes the status of an entry in memory.
  mutating func show(_ status: OutboxStatus, of key: OutboxKey) {
    guard let entry = all[key] else { return }
    all[key] = Entry(key: key, lane: entry.lane, payload: entry.payload, status: status)
    if status.isRejected { rejected.insert(key) }
    if case .until(let moment) = status.wait { setMoment(moment, of: key) } else { setMoment(nil, of: key) }
    refresh(entry.lane)
  }

  mutating func setMoment(_ moment: Date?, of key: OutboxKey) {
    let former = moments[key]
    guard former != moment else { return }
    moments[key] = moment
    if former == due.moment { due.moment = moments.values.min() }
    if let moment { due.moment = min(due.moment ?? moment, moment) }
  }

  /// Fills the lanes again, in the order of the positions. O(n log n)
  mutating func arrange() {
    lanes = lanes.filter(\.value.isPaused).mapValues { _ in OutboxLane(isPaused: true) }
    due = DueEntries(moment: moments.values.min(), commands: isLoaded ? due.commands : nil)
    var names: [String] = []
    for entry in entries where !entry.status.isRejected {
      if lanes[entry.lane]?.first == nil { names.append(entry.lane) }
      lanes[entry.lane, default: OutboxLane()].append(entry.key)
    }
    for name in names { refresh(name) }
  }

  /// Decides whether the first entry of a lane is due.
  mutating func refresh(_ name: String) {
    guard let lane = lanes[name] else { return }
    var entry = lane.first.flatMap { all[$0] }
    if lane.isPaused || entry?.status.wait != nil { entry = nil }
    if let key = entry?.key, backlog.isUnsaved(.entry(key)) || !isLoaded { entry = nil }
    if let shown = lane.due, shown != entry?.key { due.entries.remove(id: shown) }
    if let entry, entry.key != lane.due { due.entries.append(entry) }
    if lane.first == nil, !lane.isPaused { lanes[name] = nil } else { lanes[name]?.due = entry?.key }
  }
}

extension OutboxStatus {
  /// The status after the reducer has decided about a returned entry.
  var decided: OutboxStatus {
    guard wait == .decision else { return self }
    return OutboxStatus(attempts: attempts, failure: failure, wait: next.map { .until($0) })
  }

  /// The status after the wait.
  var released: OutboxStatus {
    OutboxStatus(attempts: attempts, failure: failure, isRejected: isRejected)
  }
}
