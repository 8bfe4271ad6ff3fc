import Foundation

/// What a response that is read part by part brings: its head once, then its body.
public enum HTTPStreamPart: Hashable, Sendable {
  /// The head of an accepted response, with no body. `length` is how many bytes of body the server has announced;
  /// `nil` if it has not, and for a coded body, which becomes longer than it was sent.
  case head(HTTPResponse, length: Int?)
  /// The next bytes of the body, decoded, as many as there were; never empty.
  case body(Data)
}

/// What the receiver of a stream wants.
public enum HTTPStreamDecision: Hashable, Sendable {
  /// To have the next part.
  case goOn
  /// To have no more: the connection is closed.
  case stop
}
