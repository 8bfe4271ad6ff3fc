/// The recording side of a sequence: an attachment from which one consumer takes elements. Used with the turn lock
/// held.
protocol SequenceSource<Element>: Attachment {
  associatedtype Element: Sendable
  /// Who waits for the next element.
  var consumer: UnsafeContinuation<Element?, Never>? { get set }
  /// Whether nothing more is recorded.
  var isEnded: Bool { get }
  /// Removes the next element; `nil` if there is none at this moment.
  func takeNext() -> Element?
}

extension SequenceSource {
  /// Gives the consumer that waits what it waits for, if it is there.
  func serveConsumer(_ outcome: Outcome) {
    guard let waiting = consumer else { return }
    let element = takeNext()
    if element == nil, !isEnded { return }
    consumer = nil
    outcome.deliver { waiting.resume(returning: element) }
  }
}

/// The consuming side: ends the connection when nobody holds the sequence or its iterator any more.
final class SequenceHandle<Source: SequenceSource>: Sendable {
  let source: Source
  private weak let engine: Engine?

  init(_ source: Source, in engine: Engine) {
    self.source = source
    self.engine = engine
  }

  deinit {
    guard let engine else { return }
    engine.locked { engine.end(source, $0) }
  }

  func next() async -> Source.Element? {
    // With the engine gone nobody else has the source, which gives what it has recorded.
    guard let engine else { return source.takeNext() }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        engine.locked { outcome in
          precondition(source.consumer == nil, "a sequence of a store is for one consumer at a time")
          source.consumer = continuation
          source.serveConsumer(outcome)
          if Task.isCancelled { cancel(outcome) }
        }
      }
    } onCancel: {
      engine.locked { cancel($0) }
    }
  }

  private func cancel(_ outcome: Outcome) {
    guard let waiting = source.consumer else { return }
    source.consumer = nil
    outcome.deliver { waiting.resume(returning: nil) }
  }
}
