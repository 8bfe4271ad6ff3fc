#if !canImport(Darwin)
extension HTTPFailure {
  /// Makes the failure for libcurl's code of a failed transfer.
  ///
  /// - Parameters:
  ///   - words: the library's description of the failure.
  ///   - hasHead: whether the head of the answer was complete.
  ///   - isMultiplexed: whether the request was sent by HTTP/2.
  ///   - connectStatus: the status of a proxy's answer to the request for a connection; 0 if there was none.
  ///   - lacksDescriptors: whether the process has no descriptor left.
  init(
    curlCode code: Int32, words: String, host: String, hasHead: Bool, isMultiplexed: Bool = false,
    connectStatus: Int = 0, lacksDescriptors: Bool = false
  ) {
    // libcurl reports a lack of descriptors as an unknown or silent host.
    if lacksDescriptors, [2, 5, 6, 7, 27, 35, 77].contains(code) {
      self = .noDescriptors
      return
    }
    // libcurl's text about a proxy may contain its password.
    let words = Redaction.value(words)
    switch code {
    case 1, 8, 100: self = .notHTTP(words)  // an answer of HTTP/0.9, or an invalid or too large one
    case 3: self = .badURL(host)
    case 5 where words.contains("nsupported"), 7 where words.contains("nsupported proxy"):
      self = .proxy("its address is not valid, or of a kind that libcurl does not know")
    case 5: self = .cannotConnect("the name of the proxy is not known")
    case 97: self = .proxy(words)
    case 6: self = .hostNotFound(host)
    case 7: self = .cannotConnect(words)
    case 28: self = .timedOut
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: self = .tls(words)
    case 56 where connectStatus != 0 && !(200...299).contains(connectStatus):
      let words = "it answered \(connectStatus)"
      self =
        HTTPFailure.isTransient(status: connectStatus)
        ? .cannotConnect("the proxy cannot: \(words)") : .proxy(words)
    case 43 where words.contains("chunk"), 56 where words.contains("chunk"), 88: self = .notHTTP(words)
    case 27 where !hasHead: self = .notHTTP("a line of its head is too long")  // as version 7.88 reports it
    // libcurl ends a connection that breaks a rule of HTTP/2, and then has no answer.
    case 52 where isMultiplexed: self = .notHTTP("the server breaks the rules of HTTP/2")
    case 92 where words.contains("PROTOCOL_ERROR"), 56 where words.contains("nghttp2"):
      self = .notHTTP("the rules of HTTP/2 are broken: \(words)")
    case 61: self = .undecodable(words)
    case 16, 18, 52, 55, 56, 65, 92: self = .cutOff(received: 0, expected: nil)
    case 4, 48: self = .unsupported(words)
    default: self = .other("\(words) (libcurl's code \(code))")
    }
  }

  /// The failure of a process that has no descriptor left for a connection.
  static var noDescriptors: HTTPFailure { .cannotConnect("the process has no file descriptor left") }
}
#endif
