/// What a store needs once something is connected to it, observes it or waits for it. Guarded by the turn lock.
final class EngineTables {
  let tree: Node
  /// The action of the current turn and the run that sent it.
  var turn = TurnContext()
  /// What has ended while some of its work had not.
  var unfinished: [UInt64: any Attachment] = [:]
  /// What belonged to parts that are gone and has not been ended yet.
  var condemned: [any Attachment] = []
  var isTearingDown = false
  var waiters: [Waiter] = []
  var views = ViewQueue()
  var servers = ComponentServers()
  var observers: [ObserverAttachment] = []
  var eventNumber: UInt64 = 0
  var reportedLoops: Set<UInt64> = []

  init(_ state: UnsafeRawPointer) {
    tree = Node(cache: StateCache(state), parent: nil)
  }
}
