import Foundation

/// Reads one answer from its transfer, and asks the exchange for the next step after each part.
struct ExchangeReading: ~Copyable {
  let transfer: HTTPTransfer
  let listening: Listening?
  private var decoder = BodyDecoder()

  init(transfer: HTTPTransfer, listening: Listening?) {
    self.transfer = transfer
    self.listening = listening
  }

  /// Reads until the exchange has an outcome. Returns `nil` if the exchange continues with another message.
  nonisolated(nonsending) mutating func outcome(
    of exchange: inout HTTPExchange,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async -> Result<HTTPResponse, HTTPFailure>? {
    var accepted: HTTPResponse?
    while true {
      listening?.began()
      let item = await transfer.next()
      listening?.ended()
      var next: HTTPExchange.Next
      switch item {
      case .head(let head):
        next = exchange.headArrived(head)
        if case .accept(let response, let length, let coding) = next {
          decoder = BodyDecoder(coding)
          accepted = response
          listening?.isPastHead()
          if await receive(.head(response, length: length)) == .stop { return .success(response) }
          next = .goOn
        } else if exchange.readsBody {
          decoder = BodyDecoder(exchange.excerptCoding)
        }
      case .body(let bytes):
        decoder.received(bytes)
        next = await bodyArrived(bytes, &exchange, accepted, to: receive)
      case .end(let failure):
        next = exchange.ended(failure ?? brokenEnd(exchange))
      }
      switch next {
      case .goOn, .accept, .deliver: continue
      case .redirect: return nil
      case .end(let outcome): return outcome
      }
    }
  }

  /// Decodes the received bytes and delivers them. Returns the next step.
  private nonisolated(nonsending) mutating func bodyArrived(
    _ bytes: Data, _ exchange: inout HTTPExchange, _ accepted: HTTPResponse?,
    to receive: nonisolated(nonsending) (HTTPStreamPart) async -> HTTPStreamDecision
  ) async -> HTTPExchange.Next {
    guard exchange.readsBody else { return exchange.bodyArrived(bytes) }
    while true {
      let part: Data?
      do throws(HTTPFailure) { part = try decoder.next() } catch { return exchange.ended(error) }
      guard let part else { return .goOn }
      switch exchange.bodyArrived(part) {
      case .deliver(let part):
        if await receive(.body(part)) == .stop, let accepted { return .end(.success(accepted)) }
      case .goOn: break
      case let next: return next
      }
    }
  }

  /// The problem with a body that the transfer considers complete.
  private func brokenEnd(_ exchange: HTTPExchange) -> HTTPFailure? {
    guard exchange.readsBody else { return nil }
    do throws(HTTPFailure) { try decoder.finish() } catch { return error }
    return nil
  }
}
