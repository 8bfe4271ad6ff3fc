/// What an effect that was made by `once(in:key:attempt:isFinal:event:)` sends beside what the effect within does.
public enum OnceEvent<Request: Hashable & Sendable>: Hashable, Sendable {
  /// Not begun: it was begun before and is not known to have ended. Ask for a later attempt if it is to be.
  case interrupted(Request, key: LedgerKey)
  /// Not begun: it was begun before and has ended, after the state was stored that asks for it. Ask for a later
  /// attempt if it is to be.
  case ended(Request, key: LedgerKey)
  /// Not begun: it could not be written down. Begins when asked for by a request that differs, as any that has
  /// failed.
  case notBegun(StorageFailure, Request)
  /// It has ended, which could not be written down. That is made up for with whatever is written next; after a crash
  /// before that it is told as interrupted. Heard only where the request is still in the state.
  case endNotWritten(StorageFailure, Request)
}
