/// The observers of a store. Guarded by the turn lock.
struct Observers {
  var all: [EventTap] = []
  /// The witnesses get every event except `willReduce` and `didReduce`. They get the turn instead.
  var witnesses: [any Witnessing] = []
  /// Whether observers get the events of reductions.
  var areReductionsReported = false
  /// The connection whose event `connected` is being emitted.
  var connecting: Connected?
  /// The number of the latest event.
  var number: UInt64 = 0
}

extension Engine {
  /// Gives an event to the witnesses and observers. Without any, it costs the reading of one Boolean.
  func emit(_ kind: () -> StoreEvent.Kind) {
    if !due.events { return }
    let kind = kind()
    options.seams.witness?(kind)
    for witness in observers.witnesses { witness.happened(kind) }
    if observers.all.isEmpty { return }
    observers.number += 1
    let event = StoreEvent(number: observers.number, instant: .now, kind: kind)
    for observer in observers.all { observer.record(event) }
  }

  func add(_ observer: EventTap) {
    observers.all.append(observer)
    observersChanged()
  }

  func remove(_ observer: EventTap) {
    observers.all.removeAll { $0 === observer }
    observersChanged()
  }

  func observersChanged() {
    observers.areReductionsReported = !observers.all.isEmpty || options.seams.witness != nil
    let isObserved = observers.areReductionsReported || !observers.witnesses.isEmpty
    due.events = isObserved
    mail.withLock { $0.isObserved = isObserved }
    updates.withLock { $0.isObserved = isObserved }
  }

  /// Reports a refused action to observers, in a turn of its own. A report takes the turn lock, for which a sender must
  /// not wait.
  func refused(_ action: some Sendable, _ envelope: Envelope) {
    guard mail.withLock(\.isObserved) else { return }
    let cause = envelope.cause
    post(through: account, site: envelope.site) { _ in
      self.emit { .turnedAway(action: action, fate: .refused, cause: cause) }
    }
  }
}
