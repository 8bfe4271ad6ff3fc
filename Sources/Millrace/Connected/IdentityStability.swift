import MillraceSpelling

/// In debug builds, an effect whose `id(of:)` gives equal requests different identities is reported once.
///
/// A new request is identified twice. The identity of a request that stays asked for is compared with the one that the
/// request has in the table.
extension ConnectedEffect {
  /// The identity of a request. Calls the user's code.
  func requestID(of request: Effect.Request, by effect: Effect) -> Effect.ID {
    let id = effect.id(of: request)
    #if DEBUG
    if !isUnstableIdentityReported, !asked.contains(request) {
      let second = effect.id(of: request)
      if id != second { reportUnstableIdentity(of: request) }
      engine.decided.keep(second)
    }
    #endif
    return id
  }

  /// Looks for a request that is asked for among those whose identities are no longer asked for.
  func noticeMovedRequest(among withdrawn: [AskedRequest], _ requests: Set<Effect.Request>) {
    #if DEBUG
    if isUnstableIdentityReported || withdrawn.isEmpty || requests.isEmpty { return }
    let moved = withdrawn.lazy.map { self.typed($0) }.first { requests.contains($0) }
    if let moved { reportUnstableIdentity(of: moved) }
    #endif
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
