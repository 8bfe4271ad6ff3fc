/// Decides, just before a request is sent over a connection, whether it is.
///
/// The two rules behind every case: a request whose method must not be repeated is sent once at most, and nothing that
/// a server sent before a request is taken for the answer to it.
enum SendDecision: Equatable {
  case send
  /// The request needs another connection, and nothing of it was sent over this one.
  case needsFreshConnection
  /// The request was sent before, over a connection that ended without an answer, and must not be sent again.
  case mustNotBeRepeated

  /// The condition of the connection.
  enum Connection: Equatable {
    /// It has served nothing yet.
    case fresh
    /// It has served other requests, and nothing waits to be read from it.
    case kept
    /// It is closed or silent, or has unread input that no request has asked for.
    case unusable
  }

  /// - Parameters:
  ///   - wasSent: whether something of this request was sent over another connection.
  ///   - isAskedFresh: whether the request has demanded a connection of its own, so that it gets no other.
  init(over connection: Connection, wasSent: Bool, mayBeRepeated: Bool, isAskedFresh: Bool) {
    if wasSent, !mayBeRepeated {
      self = .mustNotBeRepeated
    } else if connection == .unusable, !isAskedFresh {
      self = .needsFreshConnection
    } else {
      self = .send
    }
  }

  /// Whether a request with this method may be sent again if a kept connection ended without an answer: it changes
  /// nothing at the server (RFC 9110, section 9.2.1). `PUT` and `DELETE` change nothing the second time, but their
  /// second answer may differ from the first.
  static func mayRepeat(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}
