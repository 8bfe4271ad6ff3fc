/// One event of a stream of server-sent events.
public struct ServerSentEvent: Hashable, Sendable {
  /// What kind of event it is: `message` unless the server says otherwise.
  public var type: String
  /// The data; lines are separated by line feeds.
  public var data: String
  /// The identifier that the server last gave, to this event or to one before it; empty if it has given none.
  public var lastEventID: String

  /// Makes an event, for tests that answer by hand.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
