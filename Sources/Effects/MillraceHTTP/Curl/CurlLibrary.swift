#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// The system's libcurl. It is loaded and initialised once per process, when it is first needed.
struct CurlLibrary: Sendable {
  /// The bit of HTTP/2 in a library's features.
  private static let http2: Int32 = 1 << 16

  /// The names of the library. The first that exists is loaded.
  static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  /// The name in debuggers and system tools of the threads in which the library runs, of at most 15 bytes. Threads that
  /// look up names inherit it.
  static let threadName = "millrace-http"

  static let shared = load(names)

  /// The version as 0xXXYYZZ.
  let version: UInt32
  let hasHTTP2: Bool
  /// Whether it calls before it sends a request, so that a kept connection can be checked first.
  var callsBeforeSending: Bool { version >= MILLRACE_CURL_PREREQ_SINCE }

  static func load(_ names: [String]) -> Result<CurlLibrary, HTTPFailure> {
    let texts = names.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let state = texts.map { UnsafePointer($0!) }.withUnsafeBufferPointer {  // `nil` only without memory
      millrace_curl_load($0.baseAddress!, $0.count)  // `names` is not empty
    }
    if let problem = problem(state, names: names) { return .failure(.unsupported(problem)) }
    let hasHTTP2 = millrace_curl_features() & http2 != 0
    return .success(CurlLibrary(version: millrace_curl_version_number(), hasHTTP2: hasHTTP2))
  }

  /// The problem with the library; `nil` if there is none.
  static func problem(_ state: millrace_curl_state, names: [String]) -> String? {
    switch state {
    case MILLRACE_CURL_READY: nil
    case MILLRACE_CURL_MISSING:
      "\(names.joined(separator: " or ")) is not there, or the program is linked statically"
    case MILLRACE_CURL_TOO_OLD: "libcurl \(String(cString: millrace_curl_version())) is older than 7.68.0"
    case MILLRACE_CURL_INCOMPLETE: "libcurl lacks functions that it should have"
    default: "libcurl could not be initialised"
    }
  }
}
#endif
