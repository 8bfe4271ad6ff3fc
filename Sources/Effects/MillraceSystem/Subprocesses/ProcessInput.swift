import Millrace
import MillraceEffects

/// The pipe to the standard input of a running process. Writers take turns, in order of arrival.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `isOpen`, `pipe` | the one slot of `turn`; `isOpen` is read with its lock alone, too | with the run |
final class ProcessInput: Sendable {
  private let pipe: Descriptor
  private let readiness: Readiness
  private let turn = ConcurrencyLimit(1)
  private let isOpen = Lock(true)

  init(_ pipe: Descriptor) {
    self.pipe = pipe
    readiness = Readiness(pipe.number, .writing)
  }

  var isClosed: Bool { !isOpen.withLock { $0 } }

  /// Writes all of the bytes, and returns when the pipe has accepted them.
  func write(_ bytes: [UInt8]) async throws(SubprocessInputFailure) {
    let result = await turn.withSlot { await written(bytes) }
    try (result ?? .failure(.cancelled)).get()
  }

  /// Ends the input after the bytes written before.
  func close() async {
    // In a task that is not cancelled, since the pipe must be closed even if the run is cancelled.
    await Task {
      await turn.withSlot {
        if isOpen.withLock({ exchange(&$0, with: false) }) { pipe.close() }
      }
    }.value
  }

  /// Ends the write in progress, if it waits for the process, and all later ones.
  func stop() { readiness.stop() }

  /// Writes as `write` does, for the only writer.
  func written(_ bytes: [UInt8]) async -> Result<Void, SubprocessInputFailure> {
    guard isOpen.withLock({ $0 }) else { return .failure(.closed(unwritten: bytes.count)) }
    var rest = bytes[...]
    while !rest.isEmpty {
      if readiness.isStopped { return .failure(.closed(unwritten: rest.count)) }
      switch pipe.write(rest.prefix(64 << 10)) {
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let failure):
        guard failure.isForNow, await readiness.wait() else {
          return .failure(.closed(unwritten: rest.count))
        }
      }
    }
    return .success(())
  }
}
