/// A component that has new props.
protocol ServedComponent: CountedWork {
  /// Whether it has got new props while it was updated. The turn lock must be held.
  var hasNext: Bool { get }
  /// Takes its next props; `false` if there are none, and its serving has ended. The turn lock must be held.
  func commitNext(_ engine: Engine) -> Bool
  /// Makes the update that was committed. Called with no lock held.
  func update() async
}

/// Who serves the components that have new props, without a task for each.
///
/// A server is a task that takes one component after the other. Before it makes an update it sees to it that another
/// server is on its way for those that wait: if the update suspends or takes long, that one goes on with them, so
/// that a slow component delays nobody; if not, the first has served them all by the time the second looks. Pure.
struct ComponentServers {
  private var waiting: [any ServedComponent] = []
  private var next = 0
  /// How many servers were made that have not begun.
  private var onTheirWay = 0

  private var isEmpty: Bool { next == waiting.count }

  /// - Returns: whether a server has to be made.
  mutating func componentArrived(_ component: any ServedComponent) -> Bool {
    waiting.append(component)
    return makesServer()
  }

  /// The component that a server has just updated has new props, or has not.
  ///
  /// - Returns: whether the server goes on with it at once; otherwise it waits behind the others.
  mutating func componentReturned(hasNext: Bool, _ component: any ServedComponent) -> Bool {
    if isEmpty || !hasNext { return true }
    waiting.append(component)
    return false
  }

  mutating func serverBegan() { onTheirWay -= 1 }

  /// A server is ready for a component.
  ///
  /// - Returns: the component, and whether another server has to be made; `nil` if nobody waits.
  mutating func serverAdvanced() -> (any ServedComponent, makesServer: Bool)? {
    if isEmpty { return nil }
    let component = waiting[next]
    next += 1
    if isEmpty {
      waiting.removeAll(keepingCapacity: waiting.count <= 1024)
      next = 0
    } else if next >= 1024, next * 2 > waiting.count {
      waiting.removeFirst(next)
      next = 0
    }
    return (component, makesServer())
  }

  private mutating func makesServer() -> Bool {
    guard !isEmpty, onTheirWay == 0 else { return false }
    onTheirWay += 1
    return true
  }
}

extension Engine {
  func serve(_ component: any ServedComponent, _ outcome: Outcome) {
    if tables.servers.componentArrived(component) { makeServer(outcome) }
  }

  private func makeServer(_ outcome: Outcome) {
    outcome.deliver { [weak self] in
      Task.detached { [weak self] in
        self?.serverBegan()
        var served: (any ServedComponent)?
        // An update under way keeps no store alive.
        while let component = self?.nextUpdate(after: served) {
          await component.update()
          served = component
        }
      }
    }
  }

  private func serverBegan() {
    locked { _ in tables.servers.serverBegan() }
  }

  /// The next update to make. A component that has got new props while it was served goes behind those that wait.
  private func nextUpdate(after served: (any ServedComponent)?) -> (any ServedComponent)? {
    locked { outcome in
      if let served {
        if tables.servers.componentReturned(hasNext: served.hasNext, served) {
          if served.commitNext(self) { return served }
        }
      }
      while let (component, makesServer) = tables.servers.serverAdvanced() {
        if makesServer { makeServer(outcome) }
        if component.commitNext(self) { return component }
      }
      return nil
    }
  }
}
