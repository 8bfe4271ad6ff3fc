/// The decisions of some turns, to be performed with no lock held: stops first, then starts, answers, deliveries and
/// reports. It also keeps the user's values that the runtime releases until then, since their `deinit` may call anything.
struct Decided {
  /// In the order in which kinds are performed.
  private enum Kind: Int { case stop, start, answer, delivery, report }

  private enum Step {
    case stop(Run.Server)
    case answer(WaitingSender, Delivery)
    case call(Kind, @Sendable () -> Void)
    case keep(Any)

    var kind: Kind? {
      switch self {
      case .stop: .stop
      case .answer: .answer
      case .call(let kind, _): kind
      case .keep: nil
      }
    }
  }

  private static let afterStops: [Kind] = [.start, .answer, .delivery, .report]

  /// One list, since most holdings decide two or three things: a list for each kind would be grown and freed each time.
  private var steps: [Step] = []
  /// The kinds of which there are steps, as bits.
  private var kinds = 0
  /// Replaced values of slices, and nodes that have left the tree.
  private var releasedValues: [AnyObject] = []
  /// Whether what is released is more than plain data.
  private var isReleasing = false
  /// Whether something was sent from inside a turn of an immediate store, so that the same thread has to drain.
  var hasSent = false

  /// Whether performing it may call the user's code: cancellation handlers, `deinit`s, a diagnostics hook.
  var callsUser: Bool { isReleasing || has(.stop) || has(.report) }
  /// Whether there is nothing to perform.
  var isEmpty: Bool { kinds == 0 && !isReleasing }

  private func has(_ kind: Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

  private mutating func append(_ step: Step, _ kind: Kind) {
    kinds |= 1 << kind.rawValue
    append(step)
  }

  private mutating func append(_ step: Step) {
    if steps.isEmpty { steps.reserveCapacity(8) }
    steps.append(step)
  }

  mutating func stop(_ server: Run.Server) { append(.stop(server), .stop) }
  /// - Parameter begin: begins a run.
  mutating func start(_ begin: @escaping @Sendable () -> Void) { append(.call(.start, begin), .start) }
  mutating func resume(_ sender: WaitingSender, _ fate: Delivery) { append(.answer(sender, fate), .answer) }
  mutating func deliver(_ delivery: @escaping @Sendable () -> Void) {
    append(.call(.delivery, delivery), .delivery)
  }
  mutating func report(_ report: @escaping @Sendable () -> Void) { append(.call(.report, report), .report) }
  mutating func keepReleased(_ values: [AnyObject]) { releasedValues = values }

  /// Keeps plain data, such as requests, until the lock is released. Destroying it is a part of what the reducer queue
  /// does: it neither ends a holding of the lock nor hands on the drain.
  mutating func keep(_ value: Any) { append(.keep(value)) }

  /// Keeps a value until the lock is released.
  mutating func release(_ value: Any) {
    append(.keep(value))
    isReleasing = true
  }

  /// Puts what has no promised order in another one.
  mutating func shuffle(_ order: inout UnpromisedOrder) {
    for kind in [Kind.stop, .start, .answer] {
      let indices = steps.indices.filter { steps[$0].kind == kind }
      var shuffled = indices.map { steps[$0] }
      order.arrange(&shuffled)
      for (index, step) in zip(indices, shuffled) { steps[index] = step }
    }
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
    if has(.stop) { CurrentWork.cleared { perform(.stop) } }
    for kind in Self.afterStops where has(kind) { perform(kind) }
  }

  private func perform(_ kind: Kind) {
    for step in steps where step.kind == kind {
      switch step {
      case .stop(let server): server.cancel()
      case .answer(let sender, let fate): sender.resume(returning: fate)
      case .call(_, let body): body()
      case .keep: break
      }
    }
  }
}
