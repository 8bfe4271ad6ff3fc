import Foundation

/// One message on its way to a server, made of a request or of a redirect of it.
struct HTTPMessage: Sendable {
  var address: HTTPAddress
  var method: String
  var headers: HTTPHeaders
  var body: HTTPBody
  /// Whether the connection serves nothing else, before or after.
  var hasOwnConnection = false

  /// What a run waits for after it has sent the message.
  var waitReason: String { "the answer of \(address.authority)" }
}

/// The head of an answer.
struct HTTPHead: Hashable, Sendable {
  var status: Int
  var headers = HTTPHeaders()
}

/// The body of a message.
enum HTTPBody: Sendable {
  case none
  case data(Data)
  /// `sent` is called with each number of bytes that goes out, in the thread that sends.
  case file(UploadFile, sent: @Sendable (Int) -> Void)

  /// The number of bytes; `nil` if there is no body, which is not the same as an empty one.
  var size: Int? {
    switch self {
    case .none: nil
    case .data(let data): data.count
    case .file(let file, sent: _): file.size
    }
  }
}
