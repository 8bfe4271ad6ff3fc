/// Something that is told of every fate of every action and run in a store: for logs, metrics and tools.
///
/// ```swift
/// final class FenceLog: StoreObserver {
///   func observe(_ event: StoreEvent) {
///     if case .turnedAway(let action, .fenced, _) = event.kind { print("came too late: \(action)") }
///   }
/// }
/// ```
public protocol StoreObserver: AnyObject, Sendable {
  /// Told of one event after the other, in order, on a thread of its own and under no lock of the runtime. A slow
  /// observer delays nobody; what it has not been told yet is kept for it.
  func observe(_ event: StoreEvent)
}

/// An observer in its place.
final class ObserverAttachment: Attachment, @unchecked Sendable {  // `place` is guarded by the turn lock
  let place: Place
  let feed: ObserverFeed<StoreEvent>

  init(_ observer: some StoreObserver, at place: Place) {
    self.place = place
    feed = ObserverFeed(at: place) { observer.observe($0) }
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    engine.tables.observers.append(self)
    engine.progress.pointee.isObserved = true
    engine.mail.withLock { $0.isObserved = true }
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func ended(_ engine: Engine, _ outcome: Outcome) {
    engine.tables.observers.removeAll { $0 === self }
    let isObserved = engine.progress.pointee.isObserved
    engine.mail.withLock { $0.isObserved = isObserved }
    feed.end()
  }

  var work: [any CountedWork] { feed.isServing ? [feed] : [] }
  var activity: [StoreActivity.Work] { [] }
  var isWitness: Bool { true }
}
