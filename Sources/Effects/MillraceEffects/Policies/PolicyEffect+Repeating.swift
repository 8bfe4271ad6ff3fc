import Millrace

/// The wrapped effect of a policy, for running it repeatedly in one run of the policy.
struct RepeatedBase<Policy: PolicyEffect>: Sendable {
  fileprivate let policy: Policy
  fileprivate let relay: RequestRelay<Policy.Base.Request>
  let send: Send<Policy.Base.Action>

  /// The newest value of the request.
  var request: Policy.Base.Request { relay.newest }

  /// Runs the wrapped effect once. Actions that this run sends after it has returned are fenced.
  func run() async throws(Policy.Base.Failure) {
    try await run { (requests, send) async throws(Policy.Base.Failure) in
      try await policy.runBase(requests, send: send)
    }
  }

  /// Runs the wrapped effect once, concurrently with other such runs.
  func runBeside(send: Send<Policy.Base.Action>) async throws(Policy.Base.Failure) {
    let requests = relay.next(isAlone: false)
    try await workBeside { () async throws(Policy.Base.Failure) in
      try await policy.runBase(requests, send: send)
    }
  }

  /// Runs a closure once instead of the wrapped effect.
  func run(
    _ serve: (RequestUpdates<Policy.Base.Request>, Send<Policy.Base.Action>) async throws(Policy.Base.Failure)
      -> Void
  ) async throws(Policy.Base.Failure) {
    let fence = SendFence()
    let (requests, fenced) = (relay.next(), fence.around(send))
    let outcome = await Result { () async throws(Policy.Base.Failure) in
      if policy.replacement == .handOver {
        // Another task of the run takes the values meanwhile.
        try await workBeside { () async throws(Policy.Base.Failure) in try await serve(requests, fenced) }
      } else {
        try await serve(requests, fenced)
      }
    }
    await fence.close {}
    try outcome.get()
  }
}

extension PolicyEffect {
  /// Runs the wrapped effect, and repeats it as a rule decides.
  ///
  /// - Parameter newRule: makes the rule of a run from its first request.
  func repeatBase<Rule: PolicyRule, C: Clock>(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>, on clock: C,
    by newRule: (Base.Request) -> Rule
  ) async throws(Base.Failure) where Rule.Policy == Self, C.Duration == Duration {
    try await repeatBase(requests, send: send) { base throws(Base.Failure) in
      var rule = newRule(base.request)
      var due = clock.now
      while !Task.isCancelled {
        var failure: Base.Failure?
        do throws(Base.Failure) { try await base.run() } catch { failure = error }
        let now = clock.now
        rule.elapse(due.duration(to: now))
        var goesOn = false
        if !Task.isCancelled, let next = rule.ended(failure, of: base.request) {
          goesOn = true
          for action in next.actions where goesOn { goesOn = await send(action) == .reduced }
          guard let wait = next.wait else { return }
          due = now.advanced(by: wait)
          if goesOn { goesOn = await clock.waits(wait, from: now, for: next.reason()) }
        }
        if goesOn { continue }
        if let failure, !rule.neverFails { throw failure }
        return
      }
    }
  }

  /// Calls `body` with a value that runs the wrapped effect. Requests that are handed over meanwhile reach the run in
  /// progress, or else the next one.
  func repeatBase(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>,
    _ body: (RepeatedBase<Self>) async throws(Base.Failure) -> Void
  ) async throws(Base.Failure) {
    guard replacement == .handOver else {
      return try await body(
        RepeatedBase(policy: self, relay: RequestRelay(requests.first), send: send))
    }
    let iterator = requests.makeAsyncIterator()
    guard let first = await iterator.next() else { return }
    let relay = RequestRelay(first)
    let outcome = await withTaskGroup { group in
      group.addTask {
        for await request in requests { relay.arrived(request) }
        relay.ended()
      }
      defer { group.cancelAll() }
      return await Result { () async throws(Base.Failure) in
        try await body(RepeatedBase(policy: self, relay: relay, send: send))
      }
    }
    if let last = relay.last { requests.giveBack(unlessTakenFrom: last) }
    try outcome.get()
  }
}
