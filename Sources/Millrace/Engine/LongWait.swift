#if DEBUG
import Dispatch

/// In debug builds, a wait of a second is reported once, with what it waits for.
extension Engine {
  /// Begins to measure a wait that has suspended. Keeps nothing alive but the token, until the wait is over.
  func measure(_ token: AwaitToken, for target: AwaitTarget, of caller: StaticString) {
    token.measure(
      by: Task.detached { [self, clock = options.seams.clock] in
        guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
        // On another thread than the tasks': it waits for the turn in progress, which may be what takes long.
        DispatchQueue.global().async { self.reportLongWait(as: token, for: target, of: caller) }
      })
  }

  private func reportLongWait(as token: AwaitToken, for target: AwaitTarget, of caller: StaticString) {
    guard locked({ awaiters.holds(token, for: target) }) else { return }
    let activity =
      switch target {
      case .settled(let account):
        activity(of: account) { !$0.isBackground || $0.phase == .ended }
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
