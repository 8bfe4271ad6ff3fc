import Foundation

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
  }

  private let loads = Lock<[Int: Load]>([:])

  /// How many exchanges have not been answered yet.
  var count: Int { loads.withLock { $0.count } }

  /// The exchange of `task` may be abandoned from here on; `outcome(of:)` is to follow.
  func prepare(_ request: HTTPRequest, task: URLSessionTask) {
    loads.withLock { $0[task.taskIdentifier] = Load(exchange: HTTPExchange(request)) }
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
      if let decided { continuation.resume(returning: decided) } else { task.resume() }
    }
  }

  /// Ends the exchange of `task` with `failure`, unless it has an outcome.
  func abandon(_ task: URLSessionTask, because failure: HTTPFailure) {
    advance(task) { $0.abandoned(failure) }
  }

  @discardableResult
  private func advance(_ task: URLSessionTask, _ event: (inout HTTPExchange) -> HTTPExchange.Next) -> Bool {
    let key = task.taskIdentifier
    let (goesOn, waiter): (Bool, (CheckedContinuation<Outcome, Never>, Outcome)?) = loads.withLock { loads in
      guard var load = loads[key] else { return (false, nil) }
      loads[key] = nil  // the body is appended to in place
      switch event(&load.exchange) {
      case .goOn:
        loads[key] = load
        return (true, nil)
      case .ignore:
        loads[key] = load
        return (false, nil)
      case .end(let outcome):
        if let continuation = load.continuation { return (false, (continuation, outcome)) }
        load.outcome = outcome
        loads[key] = load
        return (false, nil)
      }
    }
    if let (continuation, outcome) = waiter { continuation.resume(returning: outcome) }
    if !goesOn, task.state != .completed { task.cancel() }
    return goesOn
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    guard advance(task, { $0.redirected(to: request.url) }) else { return completionHandler(nil) }
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let goesOn = advance(dataTask) { exchange in
      guard let response = response as? HTTPURLResponse else {
        return exchange.abandoned(.other("The response is not HTTP."))
      }
      return exchange.responseArrived(response)
    }
    completionHandler(goesOn ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    advance(dataTask) { $0.bodyArrived(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    advance(task) { $0.completed(error) }
  }
}
