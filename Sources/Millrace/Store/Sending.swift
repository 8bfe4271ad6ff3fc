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
  var sender: UnsafeContinuation<Delivery, Never>?
  var echoes: [Echo]?

  /// An envelope around so many actions.
  func envelope(_ count: Int) -> Envelope {
    Envelope(
      site: site,
      enclosure: Enclosure(count: count, run: run, scope: scope, sender: sender, echoes: echoes))
  }
}
