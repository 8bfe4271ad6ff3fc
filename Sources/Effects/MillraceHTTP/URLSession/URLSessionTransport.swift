#if canImport(Darwin)
import Foundation

/// Carries messages by the URL loading system of Apple's platforms, which decodes bodies itself.
final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let delegate = URLSessionEvents()

  init(connectionsPerHost: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = max(1, connectionsPerHost)
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  // A session keeps its delegate, and lives until it is invalidated.
  deinit { session.finishTasksAndInvalidate() }

  func begin(_ message: HTTPMessage) -> HTTPTransfer {
    guard let request = Self.request(message) else {
      let transfer = HTTPTransfer()
      transfer.ended(.badURL(message.address.shown))
      return transfer
    }
    let events = message.hasOwnConnection ? URLSessionEvents() : delegate
    let session =
      message.hasOwnConnection
      ? URLSession(configuration: session.configuration, delegate: events, delegateQueue: nil) : session
    let task =
      message.body.size == nil
      ? session.dataTask(with: request) : session.uploadTask(withStreamedRequest: request)
    let transfer = HTTPTransfer(resume: { task.resume() }, cancel: { _ in task.cancel() })
    events.add(task, transfer, message)
    task.resume()
    if message.hasOwnConnection { session.finishTasksAndInvalidate() }
    return transfer
  }

  private static func request(_ message: HTTPMessage) -> URLRequest? {
    guard let url = URL(string: message.address.sent) else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = message.method
    request.timeoutInterval = 7 * 86_400  // the client's clock measures the request's own timeout
    for name in message.headers.names { request.setValue(message.headers[name], forHTTPHeaderField: name) }
    if let size = message.body.size { request.setValue("\(size)", forHTTPHeaderField: "Content-Length") }
    return request
  }
}
#endif
