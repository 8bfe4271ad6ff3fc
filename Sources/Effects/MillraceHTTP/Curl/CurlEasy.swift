#if !canImport(Darwin)
import CMillraceCurl

/// One of libcurl's transfers, with the memory that libcurl reads while it has the transfer. Used only by the thread of
/// its transport.
final class CurlEasy {
  let handle: OpaquePointer
  private let callbacks: UnsafeMutablePointer<millrace_curl_callbacks>
  private let problem: UnsafeMutablePointer<CChar>
  private var fields: OpaquePointer?
  /// The first option that the library refuses.
  private var refused: CurlOption?

  init() throws(HTTPFailure) {
    guard let handle = millrace_curl_easy_new() else { throw .other("libcurl has no memory") }
    self.handle = handle
    callbacks = .allocate(capacity: 1)
    problem = .allocate(capacity: Int(MILLRACE_CURL_PROBLEM_SIZE))
  }

  deinit {
    millrace_curl_easy_free(handle)
    millrace_curl_list_free(fields)
    callbacks.deallocate()
    problem.deallocate()
  }

  /// - Parameter sockets: must live as long as the connections.
  func set(
    _ callbacks: millrace_curl_callbacks, _ sockets: UnsafeMutablePointer<millrace_curl_sockets>
  ) throws(HTTPFailure) {
    self.callbacks.initialize(to: callbacks)
    guard millrace_curl_set_callbacks(handle, self.callbacks, sockets, problem) != 0 else {
      throw .unsupported("libcurl refuses a callback")
    }
  }

  func set(_ option: CurlOption, _ value: Int) {
    record(option, millrace_curl_set_long(handle, option.rawValue, value))
  }

  func set(_ option: CurlOption, _ value: String) {
    record(option, millrace_curl_set_text(handle, option.rawValue, value))
  }

  func setSize(_ size: Int) {
    let option = CurlOption.inFileSizeLarge
    record(option, millrace_curl_set_size(handle, option.rawValue, Int64(size)))
  }

  /// Sets the header fields, one line each in libcurl's notation.
  func setFields(_ lines: [String]) {
    for line in lines { fields = millrace_curl_list_append(fields, line) }
    record(.httpHeader, millrace_curl_set_list(handle, CurlOption.httpHeader.rawValue, fields))
  }

  private func record(_ option: CurlOption, _ code: Int32) {
    if code != 0, refused == nil { refused = option }
  }

  /// - Throws: `unsupported` if the library has refused an option.
  func checkOptions() throws(HTTPFailure) {
    if let refused { throw .unsupported("libcurl refuses the option \(refused)") }
  }

  /// Returns the failure of the transfer, which has ended with a code of libcurl.
  func failure(_ code: Int32, host: String, hasHead: Bool, isMultiplexed: Bool) -> HTTPFailure {
    let words = String(cString: problem)
    return HTTPFailure(
      curlCode: code, words: words.isEmpty ? String(cString: millrace_curl_easy_problem(code)) : words,
      host: host, hasHead: hasHead, isMultiplexed: isMultiplexed,
      connectStatus: millrace_curl_info_long(handle, CurlNumber.httpConnectCode),
      lacksDescriptors: millrace_descriptor_shortage() != 0)
  }
}
#endif
