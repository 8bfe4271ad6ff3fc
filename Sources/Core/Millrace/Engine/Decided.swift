/// The decisions of some turns, to be performed with no lock held: stops first, then starts, answers, deliveries and
/// reports. Until then it also keeps the user's values that the runtime releases, since their `deinit` may call
/// anything.
struct Decided {
  private enum Kind: Int { case stop, start, answer, delivery, report }

  private struct Step {
    /// `nil` for a value that is only kept. A field of its own, so that a check of it does not copy the work.
    let kind: Kind?
    let work: Work
  }

  private enum Work {
    case stop(Run.Server)
    case start(Run)
    case answer(WaitingSender, Delivery)
    case call(@Sendable () -> Void)
    case keep(Any)
  }

  /// The kinds in the order in which they are performed. Stored, since a new array each time would be an allocation.
  private static let inOrder: [Kind] = [.stop, .start, .answer, .delivery, .report]

  /// One list for all kinds, since most holdings decide two or three things. A list per kind would be grown and freed
  /// each time.
  private var steps: [Step] = []
  /// The kinds that `steps` contains, as bits.
  private var kinds = 0
  /// Replaced values of slices, and nodes that have left the tree.
  private var releasedValues: [AnyObject] = []
  /// Whether the released values are more than plain data.
  private var isReleasing = false
  /// Whether something was sent inside a turn of an immediate store, so that the same thread must drain.
  var hasSent = false

  /// Whether performing the decisions may call the user's code: cancellation handlers, `deinit`s, a diagnostics hook.
  var callsUser: Bool { isReleasing || has(.stop) || has(.report) }
  /// Whether nothing was decided, kept or sent.
  var isUntouched: Bool { steps.isEmpty && !hasSent }
  /// Whether there is nothing to perform.
  var isEmpty: Bool { kinds == 0 && !isReleasing }

  private func has(_ kind: Kind) -> Bool { kinds & 1 << kind.rawValue != 0 }

  private mutating func append(_ kind: Kind?, _ work: consuming Work) {
    if let kind { kinds |= 1 << kind.rawValue }
    if steps.isEmpty { steps.reserveCapacity(8) }
    steps.append(Step(kind: kind, work: work))
  }

  mutating func stop(_ server: consuming Run.Server) { append(.stop, .stop(server)) }
  mutating func start(_ run: Run) { append(.start, .start(run)) }
  mutating func resume(_ sender: WaitingSender, _ fate: Delivery) { append(.answer, .answer(sender, fate)) }
  mutating func deliver(_ delivery: @escaping @Sendable () -> Void) { append(.delivery, .call(delivery)) }
  mutating func report(_ report: @escaping @Sendable () -> Void) { append(.report, .call(report)) }
  mutating func keepReleased(_ values: [AnyObject]) { releasedValues = values }

  /// Keeps plain data, such as requests, until the lock is released. Releasing it neither ends a holding of the lock
  /// nor hands the drain on.
  mutating func keep(_ value: consuming Any) { append(nil, .keep(value)) }

  /// Keeps a run that has ended, and moves the user's values out of it.
  mutating func keepEnded(_ run: Run) {
    keep(run)
    if let handover = run.handover.take() { keep(handover) }
  }

  /// Keeps a value until the lock is released.
  mutating func release(_ value: consuming Any) {
    append(nil, .keep(value))
    isReleasing = true
  }

  /// Shuffles the steps of each kind for which no order is promised.
  mutating func shuffle(_ order: inout UnpromisedOrder) {
    for kind in [Kind.stop, .start, .answer] where has(kind) {
      let indices = steps.indices.filter { steps[$0].kind == kind }
      var shuffled = indices.map { steps[$0] }
      order.arrange(&shuffled)
      for (index, step) in zip(indices, shuffled) { steps[index] = step }
    }
  }

  mutating func take() -> Decided {
    var taken = Decided()
    swap(&taken, &self)
    return taken
  }

  /// Performs everything, in order. No lock may be held.
  func perform() {
    for kind in Self.inOrder where has(kind) {
      // Cancellation handlers may begin tasks. The mark is cleared, since these tasks are not inside the current work.
      if kind == .stop { CurrentWork.cleared { perform(kind) } } else { perform(kind) }
    }
  }

  private func perform(_ kind: Kind) {
    for index in steps.indices where steps[index].kind == kind {
      switch steps[index].work {
      case .stop(let server): server.cancel()
      case .answer(let sender, let fate): sender.resume(returning: fate)
      case .call(let body): body()
      case .start(let run): run.begin()
      case .keep: break
      }
    }
  }
}
