import MillraceSpelling

/// In debug builds, an effect whose `id(of:)` gives equal requests different identities is reported once.
extension ConnectedEffect {
  /// The identity of a request. Calls the user's code.
  ///
  /// A request that stays asked for has an identity in the table, which is to be the same. A new one is identified twice.
  func requestID(of request: Effect.Request, by effect: Effect) -> Effect.ID {
    let id = effect.id(of: request)
    #if DEBUG
    if isUnstableIdentityReported { return id }
    if asked.contains(request) {
      // While shutting down, requests are asked for that the table has not got.
      if !table.knows(Erased(id, idKind)), !engine.isClosing(account) { reportUnstableIdentity(of: request) }
    } else {
      let second = effect.id(of: request)
      if id != second { reportUnstableIdentity(of: request) }
      engine.decided.keep(second)
    }
    #endif
    return id
  }

  #if DEBUG
  private func reportUnstableIdentity(of request: Effect.Request) {
    isUnstableIdentityReported = true
    engine.report(.unstableIdentity, site) { [label] in
      "id(of:) of \(label.text) gives \(Spelling.text(of: request)) two identities; equal requests need equal ones, "
        + "or their runs overlap, or are stopped and started again"
    }
  }
  #endif
}
