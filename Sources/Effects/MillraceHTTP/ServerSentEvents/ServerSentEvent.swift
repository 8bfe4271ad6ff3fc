/// One event of a stream of server-sent events.
public struct ServerSentEvent: Hashable, Sendable {
  /// The type of the event; `message` if the server gives none.
  public var type: String
  /// The data. Lines are separated by line feeds.
  public var data: String
  /// The last identifier from the server, with this event or an earlier one; empty if there was none.
  public var lastEventID: String

  /// Makes an event, for tests.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
