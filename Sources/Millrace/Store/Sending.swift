/// What goes along with an action on its way from a scope down to the store.
struct Sending {
  enum Mode {
    /// Into the mailbox.
    case post
    /// Reduced at once, in the turn that goes on.
    case inTurn
  }

  var mode = Mode.post
  var run: Run?
  var scope: Scope
  var site: CallSite
  var sender: Sender?
  var echoes: [Echo]?

  /// An envelope around so many actions.
  func envelope(_ count: Int) -> Envelope {
    Envelope(
      site: site,
      enclosure: Enclosure(count: count, run: run, scope: scope, sender: sender, echoes: echoes))
  }
}

/// Who waits to hear of an action's fate.
enum Sender {
  /// A task that has suspended.
  case suspended(UnsafeContinuation<Delivery, Never>)
  /// The thread that makes the turn itself.
  case here(Fate)

  /// Says that the action was refused, before it came into a mailbox.
  func refuse() {
    switch self {
    case .suspended(let continuation): continuation.resume(returning: .refused)
    case .here(let fate): fate.delivery = .refused
    }
  }
}

/// The fate of an action whose sender does not suspend. Set by the thread that reads it, or with the turn lock held.
final class Fate {
  var delivery = Delivery.refused
}
