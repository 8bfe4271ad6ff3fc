#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// The thread in which libcurl runs.
enum CurlThread {
  /// The name of the thread in debuggers and system tools, of at most 15 bytes. Threads that look up names inherit it.
  static let name = "millrace-http"

  /// Begins a thread that gets no signals. It ends when `body` returns.
  static func begin(_ body: @escaping @Sendable () -> Void) {
    Thread {
      millrace_curl_thread_began(name)
      body()
    }
    .start()
  }
}
#endif
