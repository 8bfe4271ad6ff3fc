/// The decisions of some turns, to be performed with no lock held: stops first, then starts, answers, deliveries and
/// reports. It also keeps the user's values that the runtime releases until then, since their `deinit` may call anything.
struct Decided {
  private var stops: [Run.Server] = []
  private var starts: [@Sendable () -> Void] = []
  private var senders: [(WaitingSender, Delivery)] = []
  private var deliveries: [@Sendable () -> Void] = []
  private var reports: [@Sendable () -> Void] = []
  private var released: [Any] = []
  /// Replaced values of slices, and nodes that have left the tree.
  private var releasedValues: [AnyObject] = []
  /// Whether what is released is more than plain data.
  private var isReleasing = false
  /// Whether something was sent from inside a turn of an immediate store, so that the same thread has to drain.
  var hasSent = false

  /// Whether performing it may call the user's code: cancellation handlers, `deinit`s, a diagnostics hook.
  var callsUser: Bool { isReleasing || !stops.isEmpty || !reports.isEmpty }
  /// Whether there is nothing to perform.
  var isEmpty: Bool { !callsUser && starts.isEmpty && senders.isEmpty && deliveries.isEmpty }

  mutating func stop(_ server: Run.Server) { stops.append(server) }
  /// - Parameter begin: begins a run.
  mutating func start(_ begin: @escaping @Sendable () -> Void) { starts.append(begin) }
  mutating func deliver(_ delivery: @escaping @Sendable () -> Void) { deliveries.append(delivery) }
  mutating func report(_ report: @escaping @Sendable () -> Void) { reports.append(report) }
  mutating func resume(_ sender: WaitingSender, _ delivery: Delivery) {
    senders.append((sender, delivery))
  }
  mutating func keepReleased(_ values: [AnyObject]) { releasedValues = values }

  /// Keeps plain data, such as requests, until the lock is released. Destroying it is a part of what the reducer queue
  /// does: it neither ends a holding of the lock nor hands on the drain.
  mutating func keep(_ value: Any) { released.append(value) }

  /// Keeps a value until the lock is released.
  mutating func release(_ value: Any) {
    released.append(value)
    isReleasing = true
  }

  /// Puts what has no promised order in another one.
  mutating func shuffle(_ order: inout UnpromisedOrder) {
    order.arrange(&stops)
    order.arrange(&starts)
    order.arrange(&senders)
  }

  /// Moves everything out.
  mutating func take() -> Decided {
    var taken = Decided()
    swap(&taken, &self)
    return taken
  }

  /// Performs everything, in order. No lock may be held.
  func perform() {
    // Handlers of the user's may begin tasks, which are not inside the work that has led here.
    if !stops.isEmpty { CurrentWork.cleared { for server in stops { server.cancel() } } }
    for begin in starts { begin() }
    for (sender, delivery) in senders { sender.resume(returning: delivery) }
    for delivery in deliveries { delivery() }
    for report in reports { report() }
  }
}
