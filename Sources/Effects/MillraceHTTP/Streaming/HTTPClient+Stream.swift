import Foundation
import Millrace

extension HTTPClient {
  /// The time for which a server may be silent, before and after the head of its answer; `nil` for any time.
  struct Silence: Sendable {
    var beforeHead: Duration?
    var afterHead: Duration?
    /// Whether the answer may continue for ever. A run that reads it then waits only for the limit.
    var isEndless = false

    /// The shorter of the two limits; `nil` if there is none.
    var shortest: Duration? { [beforeHead, afterHead].compactMap(\.self).min() }
  }

  /// Sends a request and passes the body of the response on in parts, instead of collecting it.
  ///
  /// ```swift
  /// var lines = 0
  /// try await HTTPClient().stream(HTTPRequest("https://example.org/log", largestBody: .max)) { part in
  ///   if case .body(let bytes) = part { lines += bytes.count { $0 == 10 } }
  ///   return .goOn
  /// }
  /// ```
  ///
  /// `receive` is called in the caller's task. The next part follows when it has returned. Up to about 256 KiB wait in
  /// memory meanwhile; then the server is slowed down. A part has at most 512 KiB. Each stream has a connection of its
  /// own, which is closed when this returns.
  ///
  /// The timeout of the request limits each silence of the server: the time until the head, and between parts. It does
  /// not limit the whole exchange, as it does for `load(_:)`. The time that `receive` takes does not count.
  ///
  /// Cancelling the task cancels the exchange; this then throws ``HTTPFailure/cancelled`` as soon as `receive` has
  /// returned.
  ///
  /// - Returns: the head of the response, without a body, when the body has ended or `receive` has returned `.stop`.
  /// - Throws: the reason why there is no response that `request` accepts, or why its body is incomplete. `receive` has
  ///   got the parts that arrived before.
  @discardableResult
  public nonisolated(nonsending) func stream(
    _ request: HTTPRequest, to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async throws(HTTPFailure) -> HTTPResponse {
    try await stream(
      request, silence: Silence(beforeHead: request.timeout, afterHead: request.timeout), to: receive)
  }

  @discardableResult
  nonisolated(nonsending) func stream(
    _ request: HTTPRequest, silence: Silence,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async throws(HTTPFailure) -> HTTPResponse {
    let message = try HTTPMessage(
      request, body: request.body.map(HTTPBody.data) ?? .none, hasOwnConnection: true)
    let control = ExchangeControl()
    guard isTimed, silence.shortest != nil else {
      return try await answer(request, message, control, to: receive).get()
    }
    let outcome =
      if silence.isEndless {
        await withWaitReason(message.waitReason) {
          // The answer after the head may never end, so a test store that settles waits only for the head.
          let head = Wait(.byItself, for: "its head")
          head?.begin()
          return await watched(silence, control, head: head) { listening in
            await exchange(request, message, control, listening, to: receive)
          }
        }
      } else {
        await watched(silence, control) { listening in
          await answer(request, message, control, listening, to: receive)
        }
      }
    return try outcome.get()
  }

  /// Makes an exchange. It ends when the server has been silent for too long.
  private nonisolated(nonsending) func watched(
    _ silence: Silence, _ control: ExchangeControl, head: Wait? = nil,
    _ exchange: nonisolated(nonsending) (Listening) async -> Result<HTTPResponse, HTTPFailure>
  ) async -> Result<HTTPResponse, HTTPFailure> {
    let listening = Listening(silence, on: clock, head: head)
    defer { listening.isPastHead() }
    return await timed(control, isLate: listening.isSilent) { await exchange(listening) }
  }
}
