/// The account of one store handle: what was sent and connected through it and through the scopes derived
/// from it.
///
/// | field | guarded by |
/// |---|---|
/// | `accepted`, `isClosed` | the engine's mailbox lock |
/// | everything else | the engine's turn lock |
final class Scope: @unchecked Sendable {  // guarded as in the table
  // First what every update and run touches, so that it lies together.
  let parent: Scope?
  /// How many runs and updates are under way that `settled()` waits for.
  var busy = 0
  /// Whether nothing new may start, since a shutdown is under way.
  var isClosing = false
  /// Whether its slice is gone: what is sent through it is fenced.
  var isEnded = false
  /// Whether it accepts nothing more.
  var isClosed = false
  /// How many envelopes with an enclosure were accepted through it.
  var accepted: UInt64 = 0
  /// How many of those had their turn.
  var processed: UInt64 = 0

  init(parent: Scope?) { self.parent = parent }

  // By recursion, since a variable that goes upwards would count a reference at every step.

  /// Whether it is `other` or derived from it.
  func isWithin(_ other: Scope) -> Bool { self === other || parent?.isWithin(other) ?? false }

  /// Whether it, or one that it is derived from, satisfies `condition`.
  func any(_ condition: (Scope) -> Bool) -> Bool { condition(self) || parent?.any(condition) ?? false }

  /// Calls `body` with it, then with what it is derived from, and so on.
  func upwards(_ body: (Scope) -> Void) {
    body(self)
    parent?.upwards(body)
  }
}
