#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// The thread in which libcurl works.
enum CurlThread {
  /// The name that debuggers and the system show, of at most 15 bytes. Threads that look up names inherit it.
  static let name = "millrace-http"

  /// Begins a thread that gets no signals and ends when `body` returns.
  static func begin(_ body: @escaping @Sendable () -> Void) {
    Thread {
      millrace_curl_thread_began(name)
      body()
    }
    .start()
  }
}
#endif
