/// A connected observer of a store.
final class EventTap: StoreTap, @unchecked Sendable {  // `observer` is guarded by the turn lock
  /// `nil` when the connection has ended and everything was delivered.
  private var observer: (any StoreObserver)?

  init(_ observer: some StoreObserver, _ entry: Entry, in engine: Engine) {
    self.observer = observer
    super.init(entry, in: engine)
  }

  override func happened(_ event: StoreEvent) {
    guard let observer else { return }
    engine.turn.events = event.number
    call { observer.observe(event) }
  }

  override func forget() -> Any? { observer.take() }
}

extension Engine {
  /// Gives an event to the taps. Without any, it costs the reading of one Boolean.
  func emit(_ kind: () -> StoreEvent.Kind) {
    if !due.events { return }
    let kind = kind()
    options.seams.witness?(kind)
    let event = StoreEvent(number: turn.events + 1, instant: .now, kind: kind)
    for tap in mail.withLock(\.taps) { tap.happened(event) }
  }

  /// Adds or removes a tap. The turn lock must be held.
  func changeTaps(_ change: (inout [StoreTap]) -> Void) {
    let taps = mail.withLock { mail in
      change(&mail.taps)
      return mail.taps
    }
    let isWitnessed = options.seams.witness != nil
    due.reductions = isWitnessed || taps.contains { $0 is EventTap }
    due.events = isWitnessed || !taps.isEmpty
    updates.withLock { $0.isObserved = due.events }
  }

  /// Reports a refused action, in a turn of its own. A report takes the turn lock, for which a sender must not wait.
  func refused(_ action: some Sendable, _ envelope: Envelope) {
    if mail.withLock(\.taps.isEmpty) { return }
    let cause = envelope.cause
    post(through: account, site: envelope.site) { _ in
      self.emit { .turnedAway(action: action, fate: .refused, cause: cause) }
    }
  }
}
