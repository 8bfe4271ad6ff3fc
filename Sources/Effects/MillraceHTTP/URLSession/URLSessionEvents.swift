#if canImport(Darwin)
import Foundation
import Millrace

/// Passes the events of a session's tasks to their transfers.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `entries` | the lock | each task ends |
final class URLSessionEvents: NSObject, URLSessionDataDelegate, Sendable {
  private struct Entry {
    var transfer: HTTPTransfer
    var message: HTTPMessage
  }

  private let entries = Lock<[Int: Entry]>([:])

  func add(_ task: URLSessionTask, _ transfer: HTTPTransfer, _ message: HTTPMessage) {
    entries.withLock { $0[task.taskIdentifier] = Entry(transfer: transfer, message: message) }
  }

  private func entry(_ task: URLSessionTask) -> Entry? { entries.withLock { $0[task.taskIdentifier] } }

  // The exchange decides about redirects.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let isAboutTransport = [
      NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
    ].contains(challenge.protectionSpace.authenticationMethod)
    completionHandler(isAboutTransport ? .performDefaultHandling : .rejectProtectionSpace, nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    switch entry(task)?.message.body {
    case .data(let data): completionHandler(InputStream(data: data))
    case .file(let file, let start, sent: _):
      let stream = InputStream(fileAtPath: file.path)
      stream?.setProperty(start, forKey: .fileCurrentOffsetKey)
      completionHandler(stream)
    case .some(.none), nil: completionHandler(nil)
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let entry = entry(dataTask), let response = response as? HTTPURLResponse else {
      return completionHandler(.cancel)
    }
    var head = HTTPHead(response)
    // The system decodes the body, so its size is not the announced one.
    if !["", "identity"].contains(head.headers["content-encoding"]?.lowercased() ?? "") {
      head.headers["content-length"] = nil
    }
    entry.transfer.headArrived(head)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let entry = entry(dataTask) else { return }
    if data.withUnsafeBytes({ entry.transfer.bodyArrived($0) }) == .later {
      // Received bytes cannot be returned to the session. They are kept, and the task is suspended.
      dataTask.suspend()
      entry.transfer.keep(data)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    if case .file(_, _, let sent)? = entry(task)?.message.body { sent(Int(totalBytesSent)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
  ) {
    guard let message = entry(task)?.message else { return }
    message.interim?(HTTPHead(response), message.address)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    entry?.transfer.ended(error.map { HTTPFailure($0, host: task.originalRequest?.url?.host ?? "") })
  }
}

extension HTTPHead {
  fileprivate init(_ response: HTTPURLResponse) {
    status = response.statusCode
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers.append(value, to: name)
    }
  }
}
#endif
