/// What was sent to a store and has not been taken for its turn yet.
struct Mailbox {
  var incoming = MailQueue()
  /// Whether a drain is under way or about to begin that will look here again.
  var isDrainScheduled = false
  /// Whether nothing more is accepted but the runtime's own commands.
  var isClosed = false
  /// Whether somebody observes the store, so that refusals are told.
  var isObserved = false
  /// How many envelopes were ever put in: the ticket of the latest one.
  var tickets: UInt64 = 0
  /// How many connections were ever asked for: the number of the latest one.
  var connections: UInt64 = 0
  /// How many actions were turned away.
  var refused: UInt64 = 0
}
