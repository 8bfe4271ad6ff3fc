/// An event of an effect made by `once(in:key:attempt:isFinal:event:)`, in addition to the wrapped effect's own
/// actions.
public enum OnceEvent<Request: Hashable & Sendable>: Hashable, Sendable {
  /// The work was not begun, because it was begun before and is not known to have ended. To begin it, ask for a later
  /// attempt.
  case interrupted(Request, key: LedgerKey)
  /// The work was not begun, because it has begun and ended before. The state that asks for it was stored before the
  /// end. To begin it again, ask for a later attempt.
  case ended(Request, key: LedgerKey)
  /// The work was not begun, because it could not be recorded. A request that is not equal tries again.
  case notBegun(StorageFailure, Request)
  /// The work has ended, but its end could not be recorded. The next write records it too; after a crash before that,
  /// the work is reported as interrupted. Sent only while the request is still in the state.
  case endNotWritten(StorageFailure, Request)
}

extension OnceEvent: Codable where Request: Codable {}
