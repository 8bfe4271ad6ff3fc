/// What a store needs once something is connected to it, observes it or waits for it. Guarded by the turn lock.
final class EngineTables {
  let tree: Node
  /// The action of the current turn and the run that sent it. By pointer, as all that every action touches, since a
  /// stored property of a class is checked for exclusive access at every use.
  let turn = UnsafeMutablePointer<TurnContext>.allocate(capacity: 1)
  /// What has ended while some of its work had not.
  var unfinished: [UInt64: any Attachment] = [:]
  /// The places of parts that are gone, at which something may still be connected.
  var condemned: [Node] = []
  var condemnedLots: [Lot] = []
  var isTearingDown = false
  /// How many attachments and places may still be ended in this holding of the lock because their part is gone, so that tearing
  /// down a hundred thousand holds nobody up for long.
  var tearDownBudget = tearDownLimit

  static let tearDownLimit = 512
  var waiters: [Waiter] = []
  /// A run that waits for a thread of the reducer queue, and whether somebody looks that it does not wait for long.
  var kept: KeptStart?
  var isWatched = false
  var views = ViewQueue()
  /// By pointer, too.
  let components = UnsafeMutablePointer<ComponentQueue>.allocate(capacity: 1)
  var observers: [ObserverAttachment] = []
  var eventNumber: UInt64 = 0
  var reportedLoops: Set<UInt64> = []

  init(_ state: UnsafeRawPointer) {
    tree = StateNode.make(state)
    turn.initialize(to: TurnContext())
    components.initialize(to: ComponentQueue())
  }

  deinit {
    components.deinitialize(count: 1)
    components.deallocate()
    turn.deinitialize(count: 1)
    turn.deallocate()
  }
}
