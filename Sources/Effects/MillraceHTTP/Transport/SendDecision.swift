/// Decides, just before a request is sent over a connection, whether to send it.
///
/// Two rules determine every case: a request whose method must not be repeated is sent at most once, and bytes that a
/// server sent before a request are not its answer.
enum SendDecision: Equatable {
  case send
  /// The request needs another connection, and nothing of it was sent over this one.
  case needsFreshConnection
  /// The request was sent before, over a connection that ended without an answer, and must not be sent again.
  case mustNotBeRepeated

  /// The condition of a connection.
  enum Connection: Equatable {
    /// It has served no request.
    case fresh
    /// It has served other requests, and has no unread input.
    case kept
    /// It is closed or silent, or has unread input that answers no request.
    case unusable
  }

  /// - Parameters:
  ///   - wasSent: whether a part of this request was sent over another connection.
  ///   - isAskedFresh: whether the request has demanded a new connection, so that another one is not available.
  init(over connection: Connection, wasSent: Bool, mayBeRepeated: Bool, isAskedFresh: Bool) {
    if wasSent, !mayBeRepeated {
      self = .mustNotBeRepeated
    } else if connection == .unusable, !isAskedFresh {
      self = .needsFreshConnection
    } else {
      self = .send
    }
  }

  /// Whether a request with this method may be sent again if a kept connection ended without an answer: the method
  /// changes nothing at the server (RFC 9110, section 9.2.1). A repeated `PUT` or `DELETE` changes nothing either, but
  /// its second answer may differ from the first.
  static func mayRepeat(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}
