import Foundation
import Millrace

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Leads the events of a session's tasks to their exchanges.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `loads` | the lock | each entry with its outcome |
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPFailure>

  private struct Load {
    var exchange: HTTPExchange
    var continuation: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?
    var pipe: HTTPStreamPipe?
    var sent: (@Sendable (Int) -> Void)?
  }

  /// What an event has come to, to be told with no lock held.
  private struct Told {
    var pipe: HTTPStreamPipe?
    var head: HTTPStreamPart?
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?

    func tell() {
      if let head { pipe?.headArrived(head) }
      guard let outcome else { return }
      pipe?.ended(outcome)
      continuation?.resume(returning: outcome)
    }
  }

  private let loads = Lock<[Int: Load]>([:])
  /// Where the session's own methods are called. On Linux they wait for a queue that all sessions of the process
  /// share, for seconds while a body floods in. Whoever asks for it, be it a task or a store in the middle of a turn,
  /// is not to hold a thread meanwhile.
  private let calls = DispatchQueue(label: "millrace.http.calls")

  /// How many exchanges have not been answered yet.
  var count: Int { loads.withLock { $0.count } }

  /// The exchange of `task` may be abandoned from here on; `outcome(of:)` is to follow.
  func prepare(_ request: HTTPRequest, _ body: HTTPClient.Body, task: URLSessionTask) {
    var load = Load(exchange: HTTPExchange(request))
    if case .file(_, let sent) = body { load.sent = sent }
    loads.withLock { $0[task.taskIdentifier] = load }
  }

  /// The exchange of `task` may be abandoned from here on, and what it brings goes to `pipe`; `begin(_:)` is to follow.
  func prepare(_ request: HTTPRequest, task: URLSessionTask, pipe: HTTPStreamPipe) {
    let load = Load(exchange: HTTPExchange(request, keepsBody: false), pipe: pipe)
    loads.withLock { $0[task.taskIdentifier] = load }
  }

  /// Begins the exchange of a prepared task whose pipe waits for it, unless it was abandoned before.
  func begin(_ task: URLSessionTask) {
    calls.async {
      if self.loads.withLock({ $0[task.taskIdentifier] != nil }) { task.resume() }
    }
  }

  /// A task of `session` for `request`.
  func task(
    for request: URLRequest, _ body: HTTPClient.Body = .data, in session: URLSession
  ) async -> URLSessionTask {
    await withCheckedContinuation { made in
      calls.async {
        switch body {
        case .data: made.resume(returning: session.dataTask(with: request))
        case .file(let path, sent: _):
          var bare = request
          bare.httpBody = nil
          made.resume(returning: session.uploadTask(with: bare, fromFile: URL(fileURLWithPath: path)))
        }
      }
    }
  }

  /// Has `session` cancel its tasks and close its connections.
  func cancel(_ session: URLSession) {
    calls.async { session.invalidateAndCancel() }
  }

  /// Has `session`, whose tasks have ended or were abandoned, close its connections. On Apple's systems a session lives
  /// until it is told.
  func close(_ session: URLSession) {
    calls.async { session.finishTasksAndInvalidate() }
  }

  /// Makes the exchange of a prepared task, unless it was abandoned before it began.
  func outcome(of task: URLSessionTask) async -> Outcome {
    await withCheckedContinuation { continuation in
      let decided: Outcome? = loads.withLock { loads in
        guard let outcome = loads[task.taskIdentifier]?.outcome else {
          loads[task.taskIdentifier]?.continuation = continuation
          return nil
        }
        loads[task.taskIdentifier] = nil
        return outcome
      }
      if let decided { continuation.resume(returning: decided) } else { calls.async { task.resume() } }
    }
  }

  /// Ends the exchange of `task` with `failure`, unless it has an outcome.
  func abandon(_ task: URLSessionTask, because failure: HTTPFailure) {
    advance(task) { $0.abandoned(failure) }
  }

  /// Feeds an event to the exchange of `task`. If the exchange goes on, `answer` is called before anybody can
  /// cancel the task; when its outcome is decided, the task is cancelled.
  ///
  /// On Linux, a task that was cancelled traps when the completion handler of a delegate's callback is called
  /// after that: the handler must be called before, or never.
  ///
  ///     delegate queue                      any thread
  ///     redirected(to:), goes on
  ///                                         abandoned(.cancelled)
  ///                                         task.cancel()
  ///     completionHandler(request): trap
  ///
  /// Hence the handler, which only enqueues, is called under the lock that decides.
  private func advance(
    _ task: URLSessionTask, answer: () -> Void = {}, _ event: (inout HTTPExchange) -> HTTPExchange.Next
  ) {
    let key = task.taskIdentifier
    let told = loads.withLock { loads in
      guard var load = loads.removeValue(forKey: key) else { return Told() }
      var told = Told(pipe: load.pipe)
      switch event(&load.exchange) {
      case .goOn:
        answer()
        if load.pipe != nil { told.head = load.exchange.takeHead() }
      case .ignore: break
      case .end(let outcome): told.outcome = outcome
      }
      told.continuation = told.outcome == nil ? nil : load.continuation
      // Whoever has not asked for the outcome yet finds it here.
      guard told.outcome == nil || (load.pipe == nil && load.continuation == nil) else { return told }
      load.outcome = told.outcome ?? load.outcome
      loads[key] = load
      return told
    }
    told.tell()
    if told.outcome != nil { calls.async { task.cancel() } }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let follows = loads.withLock { $0[task.taskIdentifier]?.exchange.followsRedirects } ?? false
    advance(task) {
      completionHandler(follows ? request.withoutCredentials(unlessFor: response.url) : nil)
    } _: {
      $0.redirected(by: response)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
    // Here a task without credentials never goes on, or goes on as cancelled, whatever is answered.
    advance(task) { $0.challenged(challenge.failureResponse as? HTTPURLResponse) }
    #else
    let isAboutTransport = [
      NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
    ].contains(challenge.protectionSpace.authenticationMethod)
    completionHandler(isAboutTransport ? .performDefaultHandling : .rejectProtectionSpace, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    advance(dataTask) {
      completionHandler(.allow)
    } _: { exchange in
      guard let response = response as? HTTPURLResponse else {
        return exchange.abandoned(.other("The response is not HTTP."))
      }
      return exchange.responseArrived(response)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    var isWanted = false
    advance(dataTask) { exchange in
      let next = exchange.bodyArrived(data)
      isWanted = next == .goOn && exchange.isAccepted
      return next
    }
    guard isWanted, let pipe = loads.withLock({ $0[dataTask.taskIdentifier]?.pipe }) else { return }
    if let failure = pipe.bodyArrived(data) { abandon(dataTask, because: failure) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    loads.withLock { $0[task.taskIdentifier]?.sent }?(Int(count))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    advance(task) { $0.completed(error, response: task.response as? HTTPURLResponse) }
  }
}

extension URLRequest {
  /// This request without what only the server at `origin` may see, if it goes elsewhere. On Linux, all fields
  /// are carried along.
  fileprivate func withoutCredentials(unlessFor origin: URL?) -> URLRequest {
    guard url?.scheme != origin?.scheme || url?.host != origin?.host || url?.port != origin?.port else {
      return self
    }
    var stripped = self
    for field in ["Authorization", "Cookie", "Proxy-Authorization"] {
      stripped.setValue(nil, forHTTPHeaderField: field)
    }
    return stripped
  }
}
