import Dispatch
import Millrace

/// Serialises access to files on a queue of its own, in the order of the calls.
final class FileQueue<Files: Sendable>: Sendable {
  private let files: Lock<Files>
  private let queue = DispatchQueue(label: "millrace.files")

  init(_ files: Files) { self.files = Lock(files) }

  /// Runs `work` on the queue and returns its result. Cancellation does not interrupt it.
  func perform<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (inout Files) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await result(work).get()
  }

  /// Runs `work` as `perform(_:)` does; returns `nil` if the calling task is cancelled before `work` begins.
  func performUnlessCancelled<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (inout Files) throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    let isCancelled = Lock(false)
    return try await withTaskCancellationHandler {
      await result { files throws(Failure) -> Result? in
        isCancelled.withLock(\.self) ? nil : try work(&files)
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }.get()
  }

  private func result<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (inout Files) throws(Failure) -> Result
  ) async -> Swift.Result<Result, Failure> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: Swift.Result { () throws(Failure) in
            try files.withLock { files throws(Failure) in try work(&files) }
          })
      }
    }
  }
}
