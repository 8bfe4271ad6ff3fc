/// One thing that waits in a store's mailbox for its turn, without the action itself: the actions lie in the state
/// box, in the same order, so that this stays free of generics. An action sent to the store from outside, by far the
/// most frequent, has no enclosure and so nothing to count references of.
struct Envelope {
  /// How many actions of the state box are reduced in its turn; 0 for a command.
  let count: Int
  let site: CallSite
  let enclosure: Enclosure?

  /// Whether it holds one action that was sent to the store from outside, and nothing else.
  var isPlain: Bool { enclosure == nil && count == 1 }
}

/// What goes along with an envelope that is more than an action sent to the store from outside.
final class Enclosure {
  /// The run that sent it; `nil` from outside.
  let run: Run?
  /// What it was sent through.
  let scope: Scope
  /// Who waits to hear of its fate.
  let sender: UnsafeContinuation<Delivery, Never>?
  /// Who records what is sent through a scope.
  let echoes: [Echo]?
  /// A change of what is connected.
  let command: Command?

  init(
    run: Run? = nil, scope: Scope, sender: UnsafeContinuation<Delivery, Never>? = nil, echoes: [Echo]? = nil,
    command: Command? = nil
  ) {
    self.run = run
    self.scope = scope
    self.sender = sender
    self.echoes = echoes
    self.command = command
  }
}

/// A change of what is connected, made in a turn of its own.
typealias Command = (Engine, Outcome) -> Void

/// Called in the turn in which an action is reduced, after it is, with the lock of the turn held.
typealias Echo = (Engine, Outcome) -> Void
