/// The components that have new props, and who serves them, without a task for each. Guarded by the turn lock.
///
/// A server is a task that takes a share of those that wait, and updates one after the other. As long as anything but
/// the updates in progress is left, another server is on its way: it takes of what waits, or else half of what some
/// server has not begun. So if an update suspends or takes long, others go on with the rest, and a slow component
/// delays nobody; if not, the first has updated them all by the time the second looks.
struct ComponentQueue {
  /// No references are counted, as in a share.
  private var waiting = ServiceLine<Unmanaged<ServedComponent>>()
  /// Whether a server was made that has not begun.
  private var isServerOnItsWay = false
  private(set) var servers: [ComponentServer] = []
  /// Whether parts of the state are gone since shares were last looked through for what was connected to them.
  private(set) var isStale = false
  private var ahead = LookAhead()

  mutating func componentArrived(_ component: ServedComponent) { waiting.append(.passUnretained(component)) }

  mutating func takeWaiting() -> Unmanaged<ServedComponent>? { waiting.takeFirst() }

  /// Reads ahead what committing and updating those that are taken next is going to touch.
  mutating func lookAhead() {
    let upcoming = waiting.upcoming(LookAhead.distance)
    for component in upcoming { ahead.touch(component.toOpaque()) }
    for component in upcoming { component._withUnsafeGuaranteedRef { $0.touchReferences(&ahead) } }
  }

  /// Whether a server has to be made, since something is left that none is at.
  var needsServer: Bool {
    !isServerOnItsWay && (!waiting.isEmpty || servers.contains(where: \.hasRemaining))
  }

  mutating func serverWasMade() { isServerOnItsWay = true }

  /// A server asks for a share, perhaps its first.
  mutating func serverCame(_ server: ComponentServer) {
    if servers.contains(where: { $0 === server }) { return }
    isServerOnItsWay = false
    servers.append(server)
  }

  mutating func serverEnded(_ server: ComponentServer) { servers.removeAll { $0 === server } }

  /// A part of the state is gone.
  mutating func partEnded() { isStale = !servers.isEmpty }

  mutating func sharesWereLookedThrough() { isStale = false }
}
