/// One thing that waits in a store's mailbox for its turn, without the action itself, which lies beside it. An action
/// sent to the store from outside, by far the most frequent, has no enclosure and so nothing to count references of.
struct Envelope {
  let site: CallSite
  let enclosure: Enclosure?

  /// Whether it holds one action that was sent to the store from outside, and nothing else.
  var isPlain: Bool { enclosure == nil }
  /// How many actions are reduced in its turn: its own and those of the plain envelopes behind it; 0 for a command.
  var count: Int { enclosure?.count ?? 1 }
}

/// What goes along with an envelope that is more than an action sent to the store from outside.
final class Enclosure {
  /// How many actions are reduced in the envelope's turn; 0 for a command.
  let count: Int
  /// The run that sent it; `nil` from outside.
  let run: Run?
  /// What it was sent through.
  let scope: Scope
  /// Who waits to hear of its fate.
  let sender: Sender?
  /// Who records what is sent through a scope.
  let echoes: [Echo]?
  /// A change of what is connected.
  let command: Command?

  init(
    count: Int, run: Run? = nil, scope: Scope, sender: Sender? = nil,
    echoes: [Echo]? = nil,
    command: Command? = nil
  ) {
    self.count = count
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
