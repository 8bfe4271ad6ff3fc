import Foundation
import Millrace

/// Answers messages by a closure, without a network.
struct AnsweringTransport: HTTPTransport {
  let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

  func begin(_ message: HTTPMessage) -> HTTPTransfer {
    let wire = AnsweringWire()
    let transfer = HTTPTransfer(wire: wire)
    let reason = "the answer of the client's closure"
    // On record before this returns: a test store that settles must not take the run for one that waits for the test.
    let start = Wait(.byItself, for: reason)
    start?.begin()
    wire.begin(
      Task {
        // What the closure waits for is within this wait: only a gate or a clock of the test counts as waiting for it.
        await withWaitReason(reason) {
          start?.end()
          await serve(message, transfer)
        }
      })
    return transfer
  }

  /// Calls the closure, and passes its answer on as a server would send it.
  private func serve(_ message: HTTPMessage, _ transfer: HTTPTransfer) async {
    do {
      let response = try await answer(HTTPRequest(message))
      let head = HTTPHead(status: response.status, headers: response.headers)
      transfer.headArrived(head)
      // Contradictory lengths are for the exchange to report.
      if (try? BodyFraming(head, method: message.method))?.hasBody != false { transfer.keep(response.body) }
      transfer.ended(nil)
    } catch {
      transfer.ended(error as? HTTPFailure ?? .other("\(error)"))
    }
  }
}

/// The task of one answer.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `task` | the lock | with the transfer |
private final class AnsweringWire: HTTPWire {
  private let task = Lock<Task<Void, Never>?>(nil)

  /// The answer is being made by `task`. Called before anybody else has the transfer.
  func begin(_ task: Task<Void, Never>) { self.task.withLock { $0 = task } }

  /// The whole body is there at once, so the answer is never paused.
  func resume() {}

  func cancel(because failure: HTTPFailure) { task.withLock { $0 }?.cancel() }
}

extension HTTPRequest {
  /// The request that a server would receive.
  fileprivate init(_ message: HTTPMessage) throws {
    self.init(
      message.address.sent, method: message.method, headers: message.headers, body: try message.body.whole)
  }
}

extension HTTPBody {
  /// All bytes; a file is read, and its progress reported.
  fileprivate var whole: Data? {
    get throws {
      switch self {
      case .none: return nil
      case .data(let data): return data
      case .file(let file, let sent):
        var whole = Data(count: file.size)
        var offset = 0
        while offset < file.size {
          let count = whole.withUnsafeMutableBytes { bytes in
            file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
          }
          guard let count else { throw HTTPFailure.other("the file cannot be read") }
          offset += count
          sent(count)
        }
        return whole
      }
    }
  }
}
