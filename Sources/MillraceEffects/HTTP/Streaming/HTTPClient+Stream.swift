import Foundation
import Millrace

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPClient {
  /// How long a server may be silent, before the head of its answer and after it; `nil` for any time.
  struct Silence: Sendable {
    var beforeHead: Duration?
    var afterHead: Duration?
  }

  /// Makes one exchange whose body is handed over part by part instead of being kept.
  ///
  /// ```swift
  /// var lines = 0
  /// try await HTTPClient().stream(HTTPRequest("https://example.org/log", largestBody: .max)) { part in
  ///   if case .body(let bytes) = part { lines += bytes.count { $0 == 10 } }
  ///   return .goOn
  /// }
  /// ```
  ///
  /// `receive` is called in the caller's task, and the next part is handed over when it has returned. What comes in
  /// the meantime waits for it: 1 MiB in memory, the rest, up to the largest body that the request allows, in a
  /// temporary file without a name. Parts are 1 MiB at most. Each stream has a connection of its own, which is closed
  /// when this returns.
  ///
  /// The timeout of the request does not bound the whole exchange, as it does for `load(_:)`, but each silence: the
  /// time until the head, and from part to part. Time that `receive` takes is not counted.
  ///
  /// Cancelling the task cancels the exchange; this then throws `.cancelled` as soon as `receive` has returned.
  ///
  /// - Returns: the head of the response, with no body, when the body has ended or `receive` wants no more.
  /// - Throws: why there is no response that `request` accepts, or not the whole of it. What came of a body before
  ///   it was cut off has been handed over.
  @discardableResult
  public nonisolated(nonsending) func stream(
    _ request: HTTPRequest, to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreaming
  ) async throws(HTTPFailure) -> HTTPResponse {
    try await stream(
      request, silence: Silence(beforeHead: request.timeout, afterHead: request.timeout), to: receive)
  }

  @discardableResult
  nonisolated(nonsending) func stream(
    _ request: HTTPRequest, silence: Silence,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreaming
  ) async throws(HTTPFailure) -> HTTPResponse {
    let delegate = HTTPSessionDelegate()
    let urlRequest = try urlRequest(for: request)
    let session = session(of: delegate)
    defer { delegate.close(session) }
    let task = await delegate.task(for: urlRequest, in: session)
    let pipe = HTTPStreamPipe()
    delegate.prepare(request, task: task, pipe: pipe)
    streamBegan()
    defer { streamEnded() }
    let watch = clock.silenceWatch()
    watch.began(limit: silence.beforeHead)
    let outcome = await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        if let pace = silence.shortest {
          group.addTask {
            if await watch.isSilent(pace: pace) { delegate.abandon(task, because: .timedOut) }
          }
        }
        delegate.begin(task)
        let outcome = await self.forward(from: pipe, silence, watch, to: receive)
        group.cancelAll()
        return outcome
      }
    } onCancel: {
      delegate.abandon(task, because: .cancelled)
    }
    delegate.abandon(task, because: .cancelled)  // if it was not wanted to its end
    return try outcome.get()
  }

  /// Hands over what comes through `pipe`, until it ends or is not wanted any more.
  private nonisolated(nonsending) func forward(
    from pipe: HTTPStreamPipe, _ silence: Silence, _ watch: any SilenceWatch,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreaming
  ) async -> HTTPStreamBuffer.Outcome {
    var head: HTTPResponse?
    while true {
      watch.began(limit: head == nil ? silence.beforeHead : silence.afterHead)
      let item = await pipe.next()
      watch.ended()
      switch item {
      case .part(let part):
        if case .head(let response, _) = part { head = response }
        if await receive(part) == .stop, let head { return .success(head) }
      case .end(.success(let response)) where head == nil:
        // On Linux the head of a redirect that leads nowhere is told with its end.
        _ = await receive(.head(response, length: nil))
        return .success(response)
      case .end(let outcome):
        return outcome
      }
    }
  }
}

extension HTTPClient.Silence {
  /// The shortest silence that is too long, if any is.
  fileprivate var shortest: Duration? { [beforeHead, afterHead].compactMap(\.self).min() }
}
