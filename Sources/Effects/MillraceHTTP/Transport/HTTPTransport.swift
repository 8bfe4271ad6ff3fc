/// Carries messages: libcurl on Linux, the URL loading system on Apple's platforms.
protocol HTTPTransport: Sendable {
  /// Begins to send a message. It follows no redirect, keeps nothing, and decodes nothing unless the system does.
  func begin(_ message: HTTPMessage) -> HTTPTransfer
}

/// The transport as a transfer sees it. Called from any thread, without a lock.
protocol HTTPWire: Sendable {
  /// Bytes that were refused with ``TransferBuffer/Verdict/later`` may come.
  func resume()
  /// Nothing more is wanted, because of `failure`.
  func cancel(because failure: HTTPFailure)
}
