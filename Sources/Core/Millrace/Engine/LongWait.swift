#if DEBUG
import Dispatch

/// In debug builds, a wait of a second is reported once, with the work that it waits for.
extension Engine {
  /// Begins to measure a wait that has suspended. The turn lock must be held.
  func measure(_ awaiter: Awaiter, of caller: StaticString) {
    awaiter.measuring = Task.detached { [self, clock = options.seams.clock] in
      guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
      // Not on the concurrency pool: the report blocks until the current turn ends, which may take long.
      DispatchQueue.global().async { self.reportLongWait(of: awaiter, caller) }
    }
  }

  private func reportLongWait(of awaiter: Awaiter, _ caller: StaticString) {
    guard locked({ awaiter.continuation != nil }) else { return }
    let activity =
      switch awaiter.target {
      case .settled(let account):
        activity(of: account) { !$0.isLongRunning || $0.phase == .ended }
      case .finished(let waited), .idle(let waited):
        activity(of: waited.account) { $0 === waited || waited.inner.map($0.account.isWithin) ?? false }
      }
    let site = activity.busy.first?.connection.site ?? CallSite(fileID: #fileID, line: #line)
    report(.longWait, site) {
      let list = activity.busyText(atMost: 20) ?? activity.description
      return "\(caller) of \(activity.name) has waited for a second, for\n\(list)"
    }
  }
}
#endif
