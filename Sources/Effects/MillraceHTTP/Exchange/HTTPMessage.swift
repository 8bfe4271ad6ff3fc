import Foundation

/// One message to a server, made from a request or from a redirect of it.
struct HTTPMessage: Sendable {
  var address: HTTPAddress
  var method: String
  var headers: HTTPHeaders
  var body: HTTPBody
  /// Whether the connection serves no other message.
  var hasOwnConnection = false
  /// Called with each interim answer and the address that it is from, in the thread that sends.
  var interim: (@Sendable (HTTPHead, HTTPAddress) -> Void)?

  /// The reason of the wait of a run that has sent the message.
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
  /// The file from a position to its end. `sent` is called with the number of these bytes that have gone out, in the
  /// thread that sends.
  case file(UploadFile, from: Int, sent: @Sendable (Int) -> Void)

  /// The number of bytes; `nil` if there is no body. An empty body has 0.
  var size: Int? {
    switch self {
    case .none: nil
    case .data(let data): data.count
    case .file(let file, let start, sent: _): file.size - start
    }
  }
}
