/// The answer of the demo server to a request for one path.
public enum DemoResponse: Sendable, Hashable {
  /// A page or another file, with status 200.
  case content(type: String, body: String)
  /// A page that is only answered after this many milliseconds.
  case slow(milliseconds: Int, body: String)
  /// A redirect with this status to another path or URL.
  case redirect(status: Int, to: String)
  /// An error status with a short page.
  case error(status: Int)
  /// Status 503 for the first requests, then the page.
  case flaky(failures: Int, body: String)
  /// Announces `announced` bytes, sends the start of the body, and closes the connection.
  case cut(announced: Int, body: String)
  /// A page of this many bytes.
  case large(bytes: Int)
}
