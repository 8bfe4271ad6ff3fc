/// Carries messages: libcurl on Linux, the URL loading system on Apple's platforms.
protocol HTTPTransport: Sendable {
  /// Begins to send a message. Follows no redirect, keeps nothing, and decodes nothing unless the system does.
  func begin(_ message: HTTPMessage) -> HTTPTransfer
}

/// The connection behind a transfer. Called from any thread, without a lock.
protocol HTTPWire: Sendable {
  /// Delivers the bytes again that were refused with ``TransferBuffer/Verdict/later``.
  func resume()
  /// Ends the reading, because of `failure`.
  func cancel(because failure: HTTPFailure)
}
