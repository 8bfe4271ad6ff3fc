/// What a turn has decided, to be performed after the lock is released: stops first, then starts, then
/// deliveries. Filled with the turn lock held; performed by whoever took it from the engine.
final class Outcome {
  private var stops: [Run] = []
  private var starts: [Start] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var senders: [(UnsafeContinuation<Delivery, Never>, Delivery)] = []
  private var released: [AnyObject] = []
  private(set) var isEmpty = true

  private struct Start {
    let run: Run
    let priority: TaskPriority?
    let body: @Sendable () async -> Void
  }

  func stop(_ run: Run) {
    stops.append(run)
    isEmpty = false
  }

  func start(_ run: Run, priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    starts.append(Start(run: run, priority: priority, body: body))
    isEmpty = false
  }

  func deliver(_ delivery: @escaping @Sendable () -> Void) {
    deliveries.append(delivery)
    isEmpty = false
  }

  func tell(_ sender: UnsafeContinuation<Delivery, Never>, _ delivery: Delivery) {
    senders.append((sender, delivery))
    isEmpty = false
  }

  /// Keeps an object of the user's until the lock is released, so that its `deinit` may call the store.
  func release(_ object: AnyObject) {
    released.append(object)
    isEmpty = false
  }

  /// Performs everything, in order. No lock may be held.
  func perform() {
    for run in stops { run.cancel() }
    for start in starts { start.run.begin(priority: start.priority, start.body) }
    for (sender, delivery) in senders { sender.resume(returning: delivery) }
    for delivery in deliveries { delivery() }
  }
}
