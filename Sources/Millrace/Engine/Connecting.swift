/// Changes of the tree of slices that wait for the end of its serving, so that no change of a slice is swallowed and
/// nothing is gone through that changes meanwhile.
struct TreeChanges {
  /// A connection that is to be made.
  struct Arrival {
    let attachment: Attachment
    /// Finds its slice in the tree; called in the turn in which it is connected.
    let find: (Engine) -> Place
  }

  /// Where something is connected, and what is.
  struct Place {
    let node: Node
    let binding: any Binding
  }

  var arrivals = Fifo<Arrival>()
  var removals: [Attachment] = []
}

extension Engine {
  /// A new entry for a connection. Callable from anywhere.
  func newEntry(
    _ label: Label, _ scope: Scope, _ site: CallSite, isBackground: Bool = false
  ) -> Attachment.Entry {
    let id = mail.withLock { mail in
      mail.connections += 1
      return mail.connections
    }
    return Attachment.Entry(id: id, label: label, site: site, scope: scope, isBackground: isBackground)
  }

  /// Connects as the place in the mailbox comes up or, in the closure of a lifetime, at the end of the turn.
  ///
  /// - Parameters:
  ///   - binding: what is connected, if it is there already. It hears of an end that comes before the connection.
  ///   - find: finds the place. It is given the engine, since one that the engine keeps must not keep the engine.
  func connect(
    _ attachment: Attachment, _ binding: (any Binding)? = nil,
    at find: @escaping (Engine) -> TreeChanges.Place
  ) {
    if wiring != nil { return }
    attachment.binding = binding
    let arrival = TreeChanges.Arrival(attachment: attachment, find: find)
    if isInsideTurn, isBeginningPart, !isClosing(attachment.scope) {
      isTreeDue = true
      return tree.arrivals.append(arrival)
    }
    post(through: attachment.scope, site: attachment.site) { isLate in
      // A connection made before the end is also connected while shutting down: it starts nothing, but gets the actions
      // that were accepted after it.
      if isLate { self.end(attachment) } else { self.attach(arrival) }
    }
  }

  /// Connects what records what the store does.
  func connect(_ attachment: Attachment, recordedBy binding: any Binding) {
    connect(attachment, binding) { TreeChanges.Place(node: $0.root, binding: binding) }
  }

  private func attach(_ arrival: TreeChanges.Arrival) {
    let attachment = arrival.attachment
    guard attachment.phase == .pending else { return }
    if attachment.scope.isOver { return end(attachment) }
    attachment.phase = .connected
    connecting = attachment
    emit { .connected(attachment.identity) }  // before the selector, which may end it
    connecting = nil
    let outer = evaluation
    evaluation = .selecting
    hasRoot = true
    isServingTree = true  // a selector that ends another connection takes no node out meanwhile
    let place = arrival.find(self)
    isServingTree = false
    attachment.binding = place.binding
    if !attachment.isWitness {
      place.node.add(attachment)
    } else if let part = attachment.scope.innermostPlace {
      part.add(attachment)
    } else {
      witnesses.append(attachment)
    }
    if attachment.phase == .connected {
      place.binding.connected(attachment, to: place.node)
    } else {
      workEnded(of: attachment)  // a selector has ended it
    }
    evaluation = outer
  }

  /// Ends a connection: from here on nothing of it touches the state and no update of it is committed.
  func end(_ attachment: Attachment) {
    guard attachment.phase != .ended else { return }
    let wasConnected = attachment.phase == .connected
    attachment.phase = .ended
    if attachment.isWitness, attachment.node == nil { witnesses.removeAll { $0 === attachment } }
    if isServingTree {
      isTreeDue = true
      tree.removals.append(attachment)
    } else {
      attachment.node?.remove(attachment)
    }
    unfinished[attachment.id] = attachment
    attachment.binding?.ended(attachment)
    if wasConnected { emit { .disconnected(attachment.identity) } }
    workEnded(of: attachment)
  }

  /// Some work of an attachment has ended, which may have been the last that others wait for.
  func workEnded(of attachment: Attachment) {
    waiters.workEnded(of: attachment)
    guard attachment.phase == .ended else { return }
    if let binding = attachment.binding {
      guard updates.withLock({ binding.workUnderWay(of: attachment) }) == 0 else { return }
      attachment.binding = nil
      decided.release(binding)
    }
    unfinished[attachment.id] = nil
    if let component = attachment.asDisplay.flatMap(updates.forget) { decided.release(component) }
  }

  /// Calls the closure of a lifetime. What it connects is connected at the end of this turn.
  func beginPart(_ connect: () -> Void) {
    let outer = (isBeginningPart, evaluation)
    (isBeginningPart, evaluation) = (true, .none)
    CurrentWork.cleared(connect)
    (isBeginningPart, evaluation) = outer
  }

  /// Makes the changes of the tree that waited for the end of its serving, and those that come of them.
  func changeTree() {
    if !isTreeDue || isServingTree || isBeginningPart { return }
    isTreeDue = false
    repeat {
      let removals = tree.removals
      tree.removals = []
      for attachment in removals { attachment.node?.remove(attachment) }
      if let arrival = tree.arrivals.takeFirst() {
        attach(arrival)
        decided.keep(arrival)  // it may hold the last reference to closures of the user's
      }
    } while !tree.arrivals.isEmpty || !tree.removals.isEmpty
    tearDownSome()
  }

  /// All that is connected through `scope` or a scope derived from it, with what has ended and not been torn down.
  func attachments(in scope: Scope) -> [Attachment] {
    var found: [Attachment] = []
    func add(_ attachment: Attachment) {
      if attachment.phase == .connected, attachment.scope.isWithin(scope) { found.append(attachment) }
    }
    if hasRoot { root.forEachAttachment(add) }
    for witness in witnesses { add(witness) }
    tearDown.forEachNode { $0.forEachAttachment(add) }
    return found
  }
}
