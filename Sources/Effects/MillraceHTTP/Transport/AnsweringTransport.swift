import Foundation
import Millrace

/// Answers messages by a closure, without a network.
struct AnsweringTransport: HTTPTransport {
  let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  func begin(_ message: HTTPMessage) -> HTTPTransfer {
    let answering = Lock<Task<Void, Never>?>(nil)
    // The whole body arrives at once, so the answer is never paused.
    let transfer = HTTPTransfer(cancel: { _ in answering.withLock(\.self)?.cancel() })
    let reason = "the answer of the client's closure"
    // The wait is recorded before this returns. Otherwise a test store could settle as if the run waited for the test.
    let start = Wait(.byItself, for: reason)
    start?.begin()
    let task = Task {
      // The waits of the closure are inside this wait, so that only a gate or a clock of the test counts as waiting for
      // the test.
      await withWaitReason(reason) {
        start?.end()
        await serve(message, transfer)
      }
    }
    answering.withLock { $0 = task }
    return transfer
  }

  /// Calls the closure, and passes its answer on as a server would send it.
  private func serve(_ message: HTTPMessage, _ transfer: HTTPTransfer) async {
    do {
      let response = try await answer(HTTPRequest(message))
      let head = HTTPHead(status: response.status, headers: response.headers)
      transfer.headArrived(head)
      // The exchange reports contradictory lengths.
      if (try? BodyFraming(head, method: message.method))?.hasBody != false { transfer.keep(response.body) }
      transfer.ended(nil)
    } catch {
      transfer.ended(error as? HTTPFailure ?? .other("\(error)"))
    }
  }
}

extension HTTPRequest {
  /// The request that a server would receive.
  fileprivate init(_ message: HTTPMessage) throws {
    self.init(
      message.address.sent, method: message.method, headers: message.headers, body: try message.body.whole)
  }
}

extension HTTPBody {
  /// All bytes. A file is read, and its progress is reported.
  fileprivate var whole: Data? {
    get throws {
      switch self {
      case .none: return nil
      case .data(let data): return data
      case .file(let file, let start, let sent):
        var whole = Data(count: file.size - start)
        var offset = 0
        while offset < whole.count {
          let count = whole.withUnsafeMutableBytes { bytes in
            file.read(at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
          }
          guard let count else { throw HTTPFailure.other("the file cannot be read") }
          offset += count
          sent(offset)
        }
        return whole
      }
    }
  }
}
