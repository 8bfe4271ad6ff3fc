import Millrace
import MillraceEffects
import MillraceSystem

/// Handles Ctrl-C and similar signals once. A second signal has the system's default effect and ends the process.
enum Stop {
  struct State: Equatable, Sendable {
    /// The signals to listen to.
    private(set) var awaited: Set<ProcessSignal>
    /// The signals for which listening has begun or failed.
    private var settled: Set<ProcessSignal> = []
    /// The signal that asked the program to stop.
    fileprivate(set) var received: ProcessSignal?

    init(awaiting signals: Set<ProcessSignal> = [.interrupt, .terminate, .hangup]) { awaited = signals }

    /// Whether every later signal stops the program in order, as far as the system permits.
    var isListening: Bool { awaited.isSubset(of: settled) }

    fileprivate mutating func listeningSettled(_ signal: ProcessSignal) { settled.insert(signal) }

    fileprivate mutating func signalArrived(_ signal: ProcessSignal) {
      received = received ?? signal
      awaited = []
    }
  }

  typealias Action = SignalEvent

  /// The state at the start. A program started by `nohup`, or in the background by a script, must not be stopped by
  /// signals that it was told to ignore. So this is computed before the program listens to any signal.
  static var stateAtStart: State { State(awaiting: State().awaited.filter { !$0.isIgnored }) }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .received(let signal): state.signalArrived(signal)
    // If the program cannot listen to a signal, the signal ends the process, and only the last findings are lost.
    case .listening(let signal), .failed(let signal, _): state.listeningSettled(signal)
    }
  }

  /// Connects the effect to the feature's slice of a program.
  static func connect(to store: Store<State, Action>) {
    store.connect(SignalEffect(), to: \.awaited, longRunning: true)
  }
}

extension ProcessSignal {
  /// The exit status of a process that a signal has ended, as shells report it.
  var exitStatus: Int32 { 128 + number }
}
