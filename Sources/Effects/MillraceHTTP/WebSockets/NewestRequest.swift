import Millrace

/// The newest value of a run's request. Informs the current connection of changes.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `newest` | the lock | the run ends |
/// | `channel` | the lock | its connection ends |
/// | `isStopped` | the lock | the run ends |
final class NewestRequest: Sendable {
  private struct State {
    var newest: WebSocketRequest
    var channel: WebSocketChannel?
    var isStopped = false
  }

  private let state: Lock<State>

  init(_ request: WebSocketRequest) { state = Lock(State(newest: request)) }

  var value: WebSocketRequest { state.withLock { $0.newest } }

  /// Another value was handed over to the run.
  func handedOver(_ request: WebSocketRequest) {
    let (channel, former) = state.withLock { ($0.channel, exchange(&$0.newest, with: request)) }
    withExtendedLifetime(former) {}  // released with no lock held
    channel?.tell(.changed)
  }

  /// The run was stopped.
  func stopped() {
    state.withLock { state in
      state.isStopped = true
      return state.channel
    }?.tell(.stopped)
  }

  /// The run continues over another connection. Its session may have begun with a value that was replaced meanwhile, so
  /// it must read the value again.
  func continues(over channel: WebSocketChannel) {
    let isStopped = state.withLock { state in
      state.channel = channel
      return state.isStopped
    }
    channel.tell(.changed)
    if isStopped { channel.tell(.stopped) }
  }
}
