/// What a turn has decided, to be performed after the lock is released: stops first, then starts, then
/// deliveries. Filled with the turn lock held; performed by whoever took it from the engine.
final class Outcome {
  private var stops: [Run] = []
  private var starts: [Start] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var senders: [(UnsafeContinuation<Delivery, Never>, Delivery)] = []
  private var released: [AnyObject] = []
  private(set) var isEmpty = true

  /// A run that begins.
  struct Start {
    let run: Run
    /// Raw, since the compiler does not know the layout of a `TaskPriority`, which makes copying what holds one slow.
    private let rawPriority: UInt8?
    private let body: @Sendable () async -> Void

    init(run: Run, priority: TaskPriority?, body: @escaping @Sendable () async -> Void) {
      self.run = run
      rawPriority = priority?.rawValue
      self.body = body
    }

    var hasPriority: Bool { rawPriority != nil }
    private var priority: TaskPriority? { rawPriority.map(TaskPriority.init(rawValue:)) }

    /// Begins it in a task of its own, on whichever thread is free.
    func begin() {
      Task.detached(priority: priority) { [run, body] in
        await CurrentWork.$mark.withValue(run, operation: body)
      }
    }

    /// The same, but what it does until it first waits is done by the current thread.
    func beginHere() {
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return begin() }
      Task.immediateDetached(priority: priority) { [run, body] in
        await CurrentWork.$mark.withValue(run, operation: body)
      }
    }
  }

  func stop(_ run: Run) {
    stops.append(run)
    isEmpty = false
  }

  func start(_ run: Run, priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    starts.append(Start(run: run, priority: priority, body: body))
    isEmpty = false
  }

  /// Takes out a run that is begun last, by who performs the rest; `nil` if none begins that the thread of a reducer
  /// queue may begin itself.
  func takeLastStart() -> Start? {
    guard let last = starts.last, !last.hasPriority else { return nil }
    return starts.removeLast()
  }

  func deliver(_ delivery: @escaping @Sendable () -> Void) {
    deliveries.append(delivery)
    isEmpty = false
  }

  func tell(_ sender: Sender, _ delivery: Delivery) {
    switch sender {
    case .suspended(let continuation):
      senders.append((continuation, delivery))
      isEmpty = false
    case .here(let fate): fate.delivery = delivery
    }
  }

  /// Keeps an object of the user's until the lock is released, so that its `deinit` may call the store.
  func release(_ object: AnyObject) {
    released.append(object)
    isEmpty = false
  }

  /// Performs everything, in order. No lock may be held.
  func perform() {
    for run in stops { run.cancel() }
    for start in starts { start.begin() }
    for (sender, delivery) in senders { sender.resume(returning: delivery) }
    for delivery in deliveries { delivery() }
  }
}
