import Foundation

extension DurableOutbox {
  /// Appends an entry. O(1)
  ///
  /// - Parameter lane: entries of one lane are delivered one after another, those of different lanes side by side. Use
  ///   the name of whatever needs its entries in order, such as a customer.
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

  /// Replaces an entry in its place, under the next revision of its key. The receiver knows it as a newer version of
  /// the same entry: a resolved conflict, or a later edit of a waiting entry. A delivery in progress is stopped; the
  /// receiver may have the former payload or not. O(1) for the first entry of a lane, otherwise O(n) in the length of
  /// the lane.
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

  /// Moves an entry, queued or rejected, to the end of its lane, under a new key. O(1) for the first entry of a lane.
  ///
  /// Call it for an entry that its receiver has returned or rejected. An entry whose delivery has failed may have been
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

  /// Makes an entry, and the entries behind it in its lane, wait until a moment or until ``release(_:)`` is called. A
  /// delivery in progress is stopped. Does nothing for an entry that has left the outbox or was rejected.
  public mutating func hold(_ key: OutboxKey, until moment: Date? = nil) {
    guard var status = all[key]?.status, !status.isRejected else { return }
    (status.wait, status.next) = (moment.map { .until($0) } ?? .release, nil)
    set(status, of: key)
  }

  /// Ends the wait of an entry. It is delivered when it is the first of its lane. Does nothing for an entry that does
  /// not wait.
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

  /// Pauses a lane: none of its entries is delivered until it is resumed, even after a restart of the program. A
  /// delivery in progress is stopped. The lane need not have entries.
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

  /// Begins another epoch. Entries keep their keys. An outbox does so itself if it detects that numbers may have been
  /// used before. The description of the type names the case that it cannot detect.
  ///
  /// - Parameter epoch: by default a random number. In a reducer, take it from the action.
  public mutating func beginEpoch(_ epoch: UInt64 = .random(in: .min ... .max)) {
    self.epoch = epoch
    if isLoaded { claim() } else { backlog.set(numbers(last: lastNumber), for: .numbers) }
  }

  /// Takes over the entries of an outbox of a former version of Millrace, under their keys and before all others. Does
  /// nothing if they were taken over before, even before a restart of the program. Before the journal is loaded, the
  /// former outbox is kept, and the load takes it over; ``isSaved`` is `false` until that is on disk.
  public mutating func adopt(_ former: FormerOutbox<Payload>) {
    guard isLoaded else { return formers.append(former) }
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
    claim()
    arrange()
  }
}
