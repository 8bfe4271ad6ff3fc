import Foundation
import Millrace

/// Leads one stream from the thread that reads it to the task that takes it, however much faster the first is.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `buffer`, `spool` | the lock | with the pipe |
/// | `taker` | the lock | when there is something to take |
///
/// The file is written and read under the lock: it is the system's memory that answers, if there is any.
final class HTTPStreamPipe: Sendable {
  /// What the taker gets.
  enum Item: Equatable {
    case part(HTTPStreamPart)
    case end(HTTPStreamBuffer.Outcome)
  }

  private struct State {
    var buffer = HTTPStreamBuffer()
    var spool: SpoolFile?
    var taker: CheckedContinuation<Item, Never>?

    mutating func keep(_ part: Data) throws(SpoolFile.Failure) {
      guard buffer.bodyArrived(part) else { return }
      let file: SpoolFile
      if let spool { file = spool } else { file = try SpoolFile() }
      spool = file
      try file.append(part)
    }

    mutating func take() -> Item? {
      switch buffer.take() {
      case .part(let part): return .part(part)
      case .end(let outcome): return .end(outcome)
      case .spooled(let count):
        do throws(SpoolFile.Failure) { return try (spool?.take(count)).map { .part(.body($0)) } } catch {
          buffer.ended(.failure(HTTPFailure(error)))
          return .end(.failure(HTTPFailure(error)))
        }
      case nil: return nil
      }
    }
  }

  private let state = Lock(State())

  func headArrived(_ head: HTTPStreamPart) {
    state.withLock { $0.buffer.headArrived(head) }
    wake()
  }

  /// Returns why the part cannot be kept, if so.
  func bodyArrived(_ part: Data) -> HTTPFailure? {
    let failure = state.withLock { state -> HTTPFailure? in
      do throws(SpoolFile.Failure) { try state.keep(part) } catch { return HTTPFailure(error) }
      return nil
    }
    wake()
    return failure
  }

  func ended(_ outcome: HTTPStreamBuffer.Outcome) {
    state.withLock { $0.buffer.ended(outcome) }
    wake()
  }

  /// The next item, as soon as there is one. For one task at a time. It does not heed cancellation: whoever gives
  /// the exchange up ends it.
  func next() async -> Item {
    await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      wake()
    }
  }

  private func wake() {
    let taken = state.withLock { state -> (CheckedContinuation<Item, Never>, Item)? in
      guard let taker = state.taker, let item = state.take() else { return nil }
      state.taker = nil
      return (taker, item)
    }
    if let (taker, item) = taken { taker.resume(returning: item) }
  }
}

extension HTTPFailure {
  fileprivate init(_ failure: SpoolFile.Failure) {
    self = .other(
      "The body cannot be kept in a temporary file until it is taken: \(String(cString: strerror(failure.errorNumber)))"
    )
  }
}
