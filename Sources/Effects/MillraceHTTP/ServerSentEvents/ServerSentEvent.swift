/// One event of a stream of server-sent events.
public struct ServerSentEvent: Hashable, Sendable {
  /// The type of the event: `message` unless the server names another.
  public var type: String
  /// The data; lines are separated by line feeds.
  public var data: String
  /// The identifier that the server gave last, with this event or an earlier one; empty if it has given none.
  public var lastEventID: String

  /// Makes an event, for tests.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
