import Millrace
import MillraceEffects
import MillraceTesting
import Testing

private struct Screen: Sendable {
  let shown = Recorder<String>()
  func show(_ toast: String) async throws { shown.append(toast) }
}

@Suite struct OutboxExamples {
  @Test("equal entries are entries of their own")
  func entries() {
    // Outbox
    struct State: Equatable, Sendable { var toasts = Outbox<String>() }
    var state = State()
    state.toasts.append("saved")
    state.toasts.append("saved")
    #expect(state.toasts.entries.count == 2)
  }

  @Test("an outbox is served")
  func served() async {
    let screen = Screen()
    let store = Store(initialState: App(), reduce: reduceWholeApp)
    // OutboxEffect
    store.connect(
      OutboxEffect<String> { toast in try await screen.show(toast) }, to: \.toasts, action: AppAction.toasts)
    store.dispatch(.noticed("saved"))
    await store.settled()
    #expect(screen.shown.values == ["saved"])
  }
}
