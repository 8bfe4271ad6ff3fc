import Foundation

/// A part of a streamed response: its head once, then parts of its body.
public enum HTTPStreamPart: Hashable, Sendable {
  /// The head of an accepted response, without a body. `length` is the announced size of the body in bytes; `nil` if
  /// the server announced none, and for a coded body, whose decoded size is unknown.
  case head(HTTPResponse, length: Int?)
  /// The next decoded bytes of the body. Never empty.
  case body(Data)
}

/// The decision of a stream's receiver after a part.
public enum HTTPStreamDecision: Hashable, Sendable {
  /// Continue with the next part.
  case goOn
  /// Stop and close the connection.
  case stop
}
