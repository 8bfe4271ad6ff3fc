import Millrace
import MillraceEffects
import MillraceSystem

/// Hears Ctrl-C and its like, once: the second one does what the system does by default, and ends the process.
enum Stop {
  struct State: Equatable, Sendable {
    /// The signals that are listened to.
    private(set) var awaited: Set<ProcessSignal>
    /// The signals of which it is known whether they can be listened to.
    private var settled: Set<ProcessSignal> = []
    /// The signal that asked the program to stop.
    fileprivate(set) var received: ProcessSignal?

    init(awaiting signals: Set<ProcessSignal> = [.interrupt, .terminate, .hangup]) { awaited = signals }

    /// Whether every signal that comes from now on stops the program in order, as far as the system permits.
    var isListening: Bool { awaited.isSubset(of: settled) }

    fileprivate mutating func listeningSettled(_ signal: ProcessSignal) { settled.insert(signal) }

    fileprivate mutating func signalArrived(_ signal: ProcessSignal) {
      received = received ?? signal
      awaited = []
    }
  }

  typealias Action = SignalEvent

  /// A program that was started by `nohup`, or in the background by a script, is not to be stopped by what it was told
  /// to ignore. To be looked at before anything is listened to.
  static var stateAtStart: State { State(awaiting: State().awaited.filter { !$0.isIgnored }) }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .received(let signal): state.signalArrived(signal)
    // A signal that cannot be listened to ends the process, which costs nothing but the last findings.
    case .listening(let signal), .failed(let signal, _): state.listeningSettled(signal)
    }
  }

  /// Connects the effect to the feature's slice of a program.
  static func connect(to store: Store<State, Action>) {
    store.connect(SignalEffect(), to: \.awaited, longRunning: true)
  }
}

extension ProcessSignal {
  /// The exit status by which shells tell that a signal ended a process.
  var exitStatus: Int32 { 128 + number }
}
