extension Engine {
  /// Tells the observers of an event. Costs nothing but a look while there are none.
  func emit(_ kind: () -> StoreEvent.Kind) {
    if !isObserved { return }
    let kind = kind()
    options.seams.witness?(kind)
    for recorder in eventRecorders { recorder.record(kind) }
    if observers.isEmpty { return }
    eventNumber += 1
    let event = StoreEvent(number: eventNumber, instant: .now, kind: kind)
    for observer in observers { observer.append(event, self) }
  }

  func emitUpdate(_ attachment: Attachment) {
    emit { .updated(attachment.identity, sequence: sequence) }
  }

  func add(_ observer: ObserverFeed<StoreEvent>) {
    observers.append(observer)
    observersChanged()
  }

  func remove(_ observer: ObserverFeed<StoreEvent>) {
    observers.removeAll { $0 === observer }
    observersChanged()
  }

  func observersChanged() {
    areReductionsObserved = !observers.isEmpty || options.seams.witness != nil
    let isObserved = areReductionsObserved || !eventRecorders.isEmpty
    self.isObserved = isObserved
    mail.withLock { $0.isObserved = isObserved }
    updates.observe(isObserved)
  }

  /// Reports a refused action to observers, in a turn of its own: reporting takes the turn lock, which sending
  /// must not wait for.
  func refused(_ action: some Sendable, _ envelope: Envelope) {
    guard mail.withLock(\.isObserved) else { return }
    let cause = envelope.cause
    post(through: scope, site: envelope.site) { _ in
      self.emit { .turnedAway(action: action, fate: .refused, cause: cause) }
    }
  }
}
