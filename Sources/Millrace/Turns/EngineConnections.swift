extension Engine {
  /// Connects an attachment as its place in the mailbox comes up.
  ///
  /// - Parameter find: finds its slice in the tree; called in the turn in which it is connected.
  func connect(_ attachment: any Attachment, at find: @escaping (Engine) -> Node) {
    let scope = attachment.place.scope
    attachment.place.attachment = attachment
    if TurnFrame.isInside(self), isMakingLifetime {
      return attach(attachment, at: find, isLate: scope.any(\.isClosing), outcome)
    }
    post(in: scope, site: attachment.place.site) { engine, isLate, outcome in
      engine.attach(attachment, at: find, isLate: isLate, outcome)
    }
  }

  /// - Parameter isLate: whether it was asked for when nothing was accepted any more. What was asked for before is
  ///   connected also while shutting down: it starts nothing, but is told of what was accepted after it.
  private func attach(
    _ attachment: any Attachment, at find: (Engine) -> Node, isLate: Bool, _ outcome: Outcome
  ) {
    guard attachment.place.phase == .pending else { return }
    let scope = attachment.place.scope
    if isLate || scope.any(\.isEnded) {
      end(attachment, outcome)
      return
    }
    attachment.place.phase = .connected
    let outerEvaluation = progress.pointee.evaluation
    progress.pointee.evaluation = .selecting
    let node = find(self)
    attachment.place.node = node
    node.add(attachment)
    countAttachments()
    emitConnection(.connected, attachment.place)
    attachment.sliceArrived(node.value, self, outcome)
    progress.pointee.evaluation = outerEvaluation
  }

  /// Ends a connection: from here on nothing of it touches the state and no update of it is committed.
  func end(_ attachment: any Attachment, _ outcome: Outcome) {
    guard attachment.place.phase != .ended else { return }
    let wasConnected = attachment.place.phase == .connected
    attachment.place.phase = .ended
    outcome.release(attachment)
    if let node = attachment.place.node {
      node.remove(attachment)
      countAttachments()
    }
    attachment.place.node = nil
    attachment.ended(self, outcome)
    if attachment.work.isEmpty {
      attachment.place.attachment = nil
    } else {
      tables.unfinished[attachment.place.id] = attachment
    }
    if wasConnected { emitConnection(.disconnected, attachment.place) }
    checkWaiters()
  }

  private func countAttachments() {
    progress.pointee.hasEffects = tables.tree.effectCount > 0
    progress.pointee.hasDisplays = tables.tree.displayCount > 0
  }

  /// To be called when work of an attachment has ended, which may have been the last that others wait for.
  func workEnded(of attachment: any Attachment) {
    forgetIfEnded(attachment)
    checkWaiters()
  }

  /// The same, where others may be waited for, too.
  func forgetIfEnded(_ attachment: any Attachment) {
    if attachment.place.phase == .ended, attachment.work.isEmpty {
      attachment.place.attachment = nil
      tables.unfinished[attachment.place.id] = nil
    }
  }

  /// The same, where the attachment is known by the number of its connection alone.
  func workEnded(ofConnection id: UInt64) {
    if let attachment = madeTables?.unfinished[id] { return workEnded(of: attachment) }
    checkWaiters()
  }

  func newPlace(
    _ label: Label, _ scope: Scope, _ site: CallSite, isDisplay: Bool, isBackground: Bool = false
  ) -> Place {
    let id = mail.withLock { mail in
      mail.connections += 1
      return mail.connections
    }
    return Place(
      id: id, label: label, site: site, scope: scope, isDisplay: isDisplay, isBackground: isBackground)
  }

  /// All that is connected through `scope` or a scope derived from it.
  func attachments(in scope: Scope) -> [any Attachment] {
    var found: [any Attachment] = []
    madeTables?.tree.forEachAttachment { if $0.place.scope.isWithin(scope) { found.append($0) } }
    return found
  }
}
