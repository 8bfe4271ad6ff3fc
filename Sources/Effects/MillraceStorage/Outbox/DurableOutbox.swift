import Foundation
import Millrace

/// A queue of things to hand over to another process, each at least once and in order per lane, with the values that
/// belong to it, in one journal.
///
/// A reducer appends entries and changes values; what one action changes is on disk in one step, or not at all. A
/// ``JournalEffect`` writes the changes, and a ``DurableOutboxEffect`` delivers the entries. An entry leaves the outbox
/// when its receiver has confirmed it.
///
/// ```swift
/// typealias Shop = DurableOutbox<Order, String, Int>  // orders, and for each customer how many there were
/// ```
///
/// ```swift
/// case .ordered(let order):
///   guard state.shop.isLoaded else { return }  // how many there were is not known yet
///   state.shop[order.customer, default: 0] += 1
///   state.shop.append(order, lane: order.customer)
/// case .outbox(let event): state.shop.reduce(event)
/// case .journal(let event): state.shop.reduce(event)
/// ```
///
/// The program may end at any point: an entry that was delivered and whose confirmation is not on disk is delivered
/// again, under the same key. A receiver that keeps an ``Inbox`` applies it once. Without values of its own, an outbox is
/// a `DurableOutbox<Order, Never, Never>`.
///
/// Nothing is delivered before the journal has been loaded. What is appended before that follows what was stored; what is
/// set, removed or resumed replaces it, whatever it was. So change a value by what it was only if ``isLoaded``.
///
/// Keys are unique also after the file was replaced by an older one, from a backup for instance: the numbers of each life
/// of the program begin at the time at which the outbox was made, in microseconds since 1970. Where they would not be
/// higher than the stored ones, or a part of the file was lost, the outbox begins another epoch. One case is left: a file
/// is older, and the clock is behind as well, by more than the time that was lost. Call ``beginEpoch(_:)`` then.
///
/// - Complexity: an appended or removed entry costs one record in the file, and the same for any length of the queue. Keeps
///   all entries in memory.
public struct DurableOutbox<
  Payload: Hashable & Sendable, Key: Hashable & Sendable, Value: Equatable & Sendable
>:
  Equatable, Sendable
{
  /// An entry: one thing to hand over.
  public typealias Entry = OutboxEntry<Payload>
  /// The unsaved changes.
  public typealias Backlog = JournalBacklog<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The events of the `JournalEffect`.
  public typealias Journal = JournalEvent<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The file.
  public typealias Storage = JournalStorage<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The contents of the file.
  public typealias Stored = StoredEntries<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>

  /// The contents of the file, by key.
  public typealias Records = [OutboxRecordKey<Key>: OutboxRecord<Payload, Value>]

  /// The unsaved changes: the slice to which a ``JournalEffect`` is connected.
  public private(set) var backlog = Backlog()
  /// The entries that may be delivered: the slice to which a ``DurableOutboxEffect`` is connected.
  public private(set) var due = DueEntries<Payload>()
  /// The values that are kept beside the entries, saved or not.
  public private(set) var values: [Key: Value] = [:]
  /// The files that were found damaged when the journal was loaded. Entries may be missing.
  public private(set) var damaged: [DamagedFile] = []
  /// The series in which entries are numbered.
  public private(set) var epoch: UInt64
  /// The number of the entry that was appended last.
  public private(set) var lastNumber: UInt64
  private var all: [OutboxKey: Entry] = [:]
  private var lanes: [String: OutboxLane] = [:]
  private var unsaved: Set<OutboxKey> = []
  private var moments: [OutboxKey: Date] = [:]
  /// Numbers up to this one are on disk as used, or will be with the next save.
  private var claimed: UInt64 = 0
  /// The commands from outside whose results are on disk, or will be with the next save.
  private var taken: Set<String> = []
  /// The epochs of the former outboxes that were taken over.
  private var adopted: Set<UInt64> = []
  /// The places of entries that are not where their numbers would put them.
  private var places: [OutboxKey: Int] = [:]

  /// Makes an empty outbox, whose journal a connected ``JournalEffect`` will load.
  ///
  /// - Parameters:
  ///   - epoch: by default a random number, which no other outbox has. Pass one only in tests.
  ///   - lastNumber: the number behind which entries are numbered, by default the time. Pass one only in tests.
  public init(
    epoch: UInt64 = .random(in: .min ... .max),
    lastNumber: UInt64 = UInt64(max(0, Date().timeIntervalSince1970 * 1_000_000))
  ) {
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }

  /// Makes an outbox in any condition, for tests. Due entries are in the order of their numbers.
  ///
  /// - Parameter records: what the file holds once all is saved.
  public init(
    records: Records, backlog: Backlog, epoch: UInt64, lastNumber: UInt64, damaged: [DamagedFile] = []
  ) {
    self.init(epoch: epoch, lastNumber: lastNumber)
    (self.backlog, self.damaged) = (backlog, damaged)
    fill(records)
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }

  /// Whether everything is on disk as it is now.
  public var isSaved: Bool { backlog.isSaved }
  /// Whether the stored entries have been loaded.
  public var isLoaded: Bool { backlog.isLoaded }
  /// The failure of the last load or append to the file, if any. What could not be written is tried again after the next
  /// change or `retry()`.
  public var failure: StorageFailure? { backlog.failure }
  /// The number of entries that are not known to be received, without rejected ones.
  public var count: Int { all.count - rejected.count }
  /// The keys of the entries that their receiver has rejected. They are kept until they are removed or put back.
  public private(set) var rejected: Set<OutboxKey> = []
  /// All entries, in the order in which they were appended, with rejected ones. O(n log n)
  public var entries: [Entry] { all.values.sorted { isBefore($0.key, $1.key) } }

  /// Returns the entries of a lane in the order of delivery, without rejected ones. O(n) in the length of the lane.
  public func entries(lane: String) -> [Entry] { lanes[lane]?.ordered.compactMap { all[$0] } ?? [] }

  /// Returns an entry with its status; `nil` if it has left the outbox. O(1)
  public func entry(_ key: OutboxKey) -> Entry? { all[key] }

  /// Whether a lane was paused. O(1)
  public func isPaused(lane: String) -> Bool { lanes[lane]?.isPaused ?? false }

  /// What the file holds once all is saved, for tests that end a program and load it again. O(n)
  public var records: Records {
    var records: Records = [:]
    for (key, value) in values { records[.value(key)] = .value(value) }
    for (name, lane) in lanes where lane.isPaused { records[.paused(name)] = .paused }
    for (key, entry) in all {
      records[.entry(key)] = .entry(entry.payload, lane: entry.lane, place: places[key])
      if entry.status != OutboxStatus() { records[.status(key)] = .status(entry.status) }
    }
    for epoch in adopted { records[.adopted(epoch)] = .adopted }
    if claimed > 0 { records[.numbers] = numbers(last: claimed) }
    return records
  }

  /// The value of a key. Setting an equal value is no change.
  public subscript(key: Key) -> Value? {
    get { values[key] }
    set {
      guard !isLoaded || values[key] != newValue else { return }
      values[key] = newValue
      if let newValue { backlog.set(.value(newValue), for: .value(key)) } else { backlog.remove(.value(key)) }
    }
  }

  /// The value of a key, or another one if there is none.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { values[key] ?? value() }
    set { self[key] = newValue }
  }
}

// MARK: Entries

extension DurableOutbox {
  /// Appends an entry. O(1)
  ///
  /// - Parameter lane: entries of one lane are delivered one after the other; those of different lanes side by side.
  ///   Take what needs an order among its entries, such as a customer.
  /// - Returns: the key of the entry.
  @discardableResult
  public mutating func append(_ payload: Payload, lane: String = "") -> OutboxKey {
    lastNumber += 1
    if isLoaded, lastNumber > claimed { claim() }
    let key = OutboxKey(epoch: epoch, number: lastNumber)
    insert(Entry(key: key, lane: lane, payload: payload))
    lanes[lane, default: OutboxLane()].append(key)
    refresh(lane)
    return key
  }

  /// Puts another payload in the place of an entry, under the next revision of its key, by which the receiver knows it
  /// as a newer attempt of the same: a resolved conflict, or a later edit of what waits. A delivery in progress is
  /// stopped; the receiver may have the former payload or not. O(1) for the first entry of a lane, otherwise O(n) in the
  /// length of the lane.
  ///
  /// - Returns: the new key; `nil` if the entry has left the outbox or was rejected.
  @discardableResult
  public mutating func replace(_ key: OutboxKey, by payload: Payload) -> OutboxKey? {
    guard let entry = all[key], !entry.status.isRejected else { return nil }
    lanes[entry.lane]?.replace(key, by: key.revised)
    let place = places[key]
    forget(entry)
    insert(Entry(key: key.revised, lane: entry.lane, payload: payload), at: place)
    set(entry.status.decided, of: key.revised)
    return key.revised
  }

  /// Puts an entry, queued or rejected, at the end of its lane, under a new key. O(1) for the first entry of a lane.
  ///
  /// Call it for an entry that its receiver has returned or rejected. One whose delivery has failed may have been
  /// applied, and its receiver does not know the new key.
  ///
  /// - Returns: the new key; `nil` if the entry has left the outbox.
  @discardableResult
  public mutating func putBack(_ key: OutboxKey) -> OutboxKey? {
    guard let entry = all[key] else { return nil }
    remove(key)
    let other = append(entry.payload, lane: entry.lane)
    if entry.status.wait == .decision { set(entry.status.decided, of: other) }
    return other
  }

  /// Makes an entry wait, and the others of its lane with it, until a moment, or until ``release(_:)`` is called. A
  /// delivery in progress is stopped. Does nothing for an entry that has left the outbox or was rejected.
  public mutating func hold(_ key: OutboxKey, until moment: Date? = nil) {
    guard var status = all[key]?.status, !status.isRejected else { return }
    (status.wait, status.next) = (moment.map { .until($0) } ?? .release, nil)
    set(status, of: key)
  }

  /// Ends the wait of an entry, which is delivered when it is the first of its lane. Does nothing for others.
  public mutating func release(_ key: OutboxKey) {
    guard let status = all[key]?.status else { return }
    set(status.wait == .decision ? status.decided : status.released, of: key)
  }

  /// Removes an entry, queued or rejected. A delivery in progress is stopped; its receiver may have the entry or not.
  /// O(1) for the first entry of a lane, otherwise O(n) in the length of the lane.
  ///
  /// - Returns: the entry; `nil` if it has left the outbox before.
  @discardableResult
  public mutating func remove(_ key: OutboxKey) -> Entry? {
    guard let entry = all[key] else {
      guard !isLoaded else { return nil }
      backlog.remove(.entry(key))
      backlog.remove(.status(key))
      return nil
    }
    lanes[entry.lane]?.remove(key)
    forget(entry)
    refresh(entry.lane)
    return entry
  }

  /// Pauses a lane: nothing of it is delivered until it is resumed, in this life of the program or a later one. A delivery
  /// in progress is stopped. The lane need not have entries.
  public mutating func pause(lane: String) {
    guard !isPaused(lane: lane) else { return }
    lanes[lane, default: OutboxLane()].isPaused = true
    backlog.set(.paused, for: .paused(lane))
    refresh(lane)
  }

  /// Resumes a paused lane.
  public mutating func resume(lane: String) {
    guard !isLoaded || isPaused(lane: lane) else { return }
    lanes[lane]?.isPaused = false
    backlog.remove(.paused(lane))
    refresh(lane)
  }

  /// Begins another epoch. Entries keep their keys. An outbox does so by itself wherever it can tell that numbers may have
  /// been used before; see above for the case in which it cannot.
  ///
  /// - Parameter epoch: by default a random number. In a reducer, take it from the action.
  public mutating func beginEpoch(_ epoch: UInt64 = .random(in: .min ... .max)) {
    self.epoch = epoch
    if isLoaded { claim() } else { backlog.set(numbers(last: lastNumber), for: .numbers) }
  }

  /// Takes over the entries of an outbox of a former version of Millrace, under their keys and before all others. Does
  /// nothing if it was taken over before, in whichever life of the program. Call it once the journal is loaded.
  public mutating func adopt(_ former: FormerOutbox<Payload>) {
    guard adopted.insert(former.epoch).inserted else { return }
    backlog.set(.adopted, for: .adopted(former.epoch))
    let first = min(0, places.values.min() ?? 0) - former.entries.count
    for (index, entry) in former.entries.enumerated() {
      insert(Entry(key: entry.key, lane: entry.lane, payload: entry.payload), at: first + index)
    }
    for rejection in former.rejected {
      let entry = rejection.entry
      insert(Entry(key: entry.key, lane: entry.lane, payload: entry.payload))
      set(OutboxStatus(attempts: 1, failure: rejection.reason, isRejected: true), of: entry.key)
    }
    (epoch, lastNumber) = (former.epoch, max(lastNumber, former.lastNumber))
    if isLoaded { claim() }
    arrange()
  }
}

// MARK: Events

extension DurableOutbox {
  /// Asks for the failed load or append of the journal again.
  public mutating func retry() { backlog.retry() }

  /// Applies an event of the ``DurableOutboxEffect``. O(1); for a rejection O(n) in the length of the lane, for a moment
  /// O(n log n) in the number of entries that wait for one.
  ///
  /// An event of an entry that has left the outbox, or was replaced, changes nothing.
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
      // All at once: the least moment is looked for one time.
      for key in reached.keys { moments[key] = nil }
      due.moment = moments.values.min()
      for key in reached.keys.sorted(by: isBefore) {
        guard let status = all[key]?.status else { continue }
        // What failed is tried again at once after a load too, as its moment has passed.
        if status.attempts > 0 { show(status.released, of: key) } else { set(status.released, of: key) }
      }
    case .commanded(let commands): take(commands)
    }
  }

  /// Applies the commands that are new, each once: their names are saved in one step with their results.
  private mutating func take(_ commands: [WorkCommand]) {
    guard isLoaded else { return }
    due.commands?.isKnown = true
    let new = commands.filter { !taken.contains($0.name) }
    guard !new.isEmpty else { return }
    // The file of any other is gone.
    taken.formIntersection(commands.map(\.name))
    for command in new {
      taken.insert(command.name)
      switch command.change {
      case .retry(let key):
        guard let key = OutboxKey(key) else { break }
        if rejected.contains(key) { putBack(key) } else { release(key) }
      case .dismiss(let key): if let key = OutboxKey(key) { remove(key) }
      case .pause(let lane): pause(lane: lane)
      case .resume(let lane): resume(lane: lane)
      }
    }
    claim()
  }

  /// Applies an event of the ``JournalEffect``. Costs what the event saves or loads.
  public mutating func reduce(_ event: Journal) {
    let (wasLoaded, changes) = (isLoaded, backlog.keys(upTo: event.saved.generation))
    backlog.reduce(event)
    if case .loaded(let stored) = event, !wasLoaded { load(stored) }
    let others = Set(event.saved.without)
    for case .entry(let key) in changes where !others.contains(.entry(key)) && unsaved.remove(key) != nil {
      if let lane = all[key]?.lane { refresh(lane) }
    }
    if changes.contains(.numbers), !others.contains(.numbers) { due.commands?.saved = taken }
    if wasLoaded, !isLoaded { arrange() }
  }

  private mutating func load(_ stored: Stored) {
    var records = stored.entries
    let changes = backlog.changes
    for (key, change) in changes { records[key] = change.value }
    records[.numbers] = stored.entries[.numbers]
    damaged += stored.damaged
    let (own, isFirst, begins) = ((epoch, lastNumber), claimed == 0, changes[.numbers] != nil)
    fill(records)
    // Nobody knows what was returned.
    for (key, entry) in all where entry.status.wait == .decision { show(entry.status.decided, of: key) }
    // A clock that is behind what it was tells that its numbers may have been used.
    let last = lastNumber
    if begins || last >= own.1 || !stored.damaged.isEmpty { epoch = own.0 }
    lastNumber = max(last, own.1, all.keys.map(\.number).max() ?? 0)
    // Such numbers do not tell the order either.
    let new = entries.filter { isFirst && unsaved.contains($0.key) && places[$0.key] == nil }
    if new.count < all.count, let least = new.first?.key.number, least <= last {
      for entry in new {
        lastNumber += 1
        insert(entry, at: Int(clamping: lastNumber))
      }
      arrange()
    }
    if begins || !unsaved.isEmpty { claim() }
  }

  /// Takes over records, and what they and the backlog tell. O(n log n)
  private mutating func fill(_ records: Records) {
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
    unsaved = []
    for case .entry(let key) in backlog.keys(upTo: .max) where all[key] != nil { unsaved.insert(key) }
    due.commands = isLoaded ? TakenCommands(saved: taken) : nil
    arrange()
  }
}

// MARK: Places

extension DurableOutbox {
  private func isBefore(_ left: OutboxKey, _ right: OutboxKey) -> Bool {
    func place(_ key: OutboxKey) -> Int { places[key] ?? Int(clamping: key.number) }
    return (place(left), left.number, left.revision, left.epoch)
      < (place(right), right.number, right.revision, right.epoch)
  }

  /// Writes numbers ahead, so that not each entry costs a second record.
  private mutating func claim() {
    claimed = lastNumber + 1000
    backlog.set(numbers(last: claimed), for: .numbers)
  }

  private func numbers(last: UInt64) -> OutboxRecord<Payload, Value> {
    .numbers(epoch: epoch, last: last, taken: taken.isEmpty ? nil : taken)
  }

  private mutating func insert(_ entry: Entry, at place: Int? = nil) {
    (all[entry.key], places[entry.key]) = (entry, place)
    unsaved.insert(entry.key)
    backlog.set(.entry(entry.payload, lane: entry.lane, place: place), for: .entry(entry.key))
  }

  private mutating func forget(_ entry: Entry) {
    (all[entry.key], places[entry.key]) = (nil, nil)
    unsaved.remove(entry.key)
    rejected.remove(entry.key)
    setMoment(nil, of: entry.key)
    backlog.remove(.entry(entry.key))
    if entry.status != OutboxStatus() { backlog.remove(.status(entry.key)) }
  }

  /// Changes the status of an entry, in memory and in the file.
  private mutating func set(_ status: OutboxStatus, of key: OutboxKey) {
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
  private mutating func show(_ status: OutboxStatus, of key: OutboxKey) {
    guard let entry = all[key] else { return }
    all[key] = Entry(key: key, lane: entry.lane, payload: entry.payload, status: status)
    if status.isRejected { rejected.insert(key) }
    if case .until(let moment) = status.wait { setMoment(moment, of: key) } else { setMoment(nil, of: key) }
    refresh(entry.lane)
  }

  private mutating func setMoment(_ moment: Date?, of key: OutboxKey) {
    let former = moments[key]
    guard former != moment else { return }
    moments[key] = moment
    if former == due.moment { due.moment = moments.values.min() }
    if let moment { due.moment = min(due.moment ?? moment, moment) }
  }

  /// Fills the lanes anew, in the order of the places. O(n log n)
  private mutating func arrange() {
    lanes = lanes.filter(\.value.isPaused).mapValues { _ in
      var lane = OutboxLane()
      lane.isPaused = true
      return lane
    }
    due = DueEntries(moment: moments.values.min(), commands: isLoaded ? due.commands : nil)
    var names: [String] = []
    for entry in entries where !entry.status.isRejected {
      if lanes[entry.lane]?.first == nil { names.append(entry.lane) }
      lanes[entry.lane, default: OutboxLane()].append(entry.key)
    }
    for name in names { refresh(name) }
  }

  /// Decides whether the first entry of a lane is due.
  private mutating func refresh(_ name: String) {
    guard let lane = lanes[name] else { return }
    var entry = lane.first.flatMap { all[$0] }
    if lane.isPaused || entry?.status.wait != nil { entry = nil }
    if let key = entry?.key, unsaved.contains(key) || !isLoaded { entry = nil }
    if let shown = lane.due, shown != entry?.key { due.entries.remove(id: shown) }
    if let entry, entry.key != lane.due { due.entries.append(entry) }
    if lane.first == nil, !lane.isPaused { lanes[name] = nil } else { lanes[name]?.due = entry?.key }
  }
}

extension DurableOutbox: CustomReflectable {
  /// What an outbox is made of in a test.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "records": records, "backlog": backlog, "epoch": epoch, "lastNumber": lastNumber, "damaged": damaged,
      ], displayStyle: .struct)
  }
}

extension OutboxStatus {
  /// The status once the reducer has decided about what was returned.
  fileprivate var decided: OutboxStatus {
    guard wait == .decision else { return self }
    return OutboxStatus(attempts: attempts, failure: failure, wait: next.map { .until($0) })
  }

  /// The status after the wait.
  fileprivate var released: OutboxStatus {
    OutboxStatus(attempts: attempts, failure: failure, isRejected: isRejected)
  }
}

extension DurableOutbox: Hashable where Value: Hashable {}
extension DurableOutbox: Codable where Payload: Codable, Key: Codable, Value: Codable {}

extension JournalEvent {
  /// The number of the newest change that is on disk, as far as the event tells, and the keys whose changes are not.
  fileprivate var saved: (generation: UInt64, without: [Key]) {
    switch self {
    case .saved(let generation): (generation, [])
    case .savedPartly(let generation, let keys, _): (generation, keys)
    case .loaded, .failed: (0, [])
    }
  }
}
