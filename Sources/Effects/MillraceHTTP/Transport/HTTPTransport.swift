/// Carries messages: libcurl on Linux, the URL loading system on Apple's platforms.
protocol HTTPTransport: Sendable {
  /// Begins to send a message. Follows no redirect, keeps nothing, and decodes nothing unless the system does.
  func begin(_ message: HTTPMessage) -> HTTPTransfer
}
