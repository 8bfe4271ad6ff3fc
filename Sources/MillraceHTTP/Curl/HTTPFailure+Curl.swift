#if !canImport(Darwin)
extension HTTPFailure {
  /// What libcurl's code of a transfer that has failed means.
  ///
  /// - Parameters:
  ///   - words: what the library says about it.
  ///   - hasHead: whether the head of the answer was whole.
  ///   - connectStatus: what a proxy has answered when it was asked for a connection; 0 if none was.
  init(curlCode code: Int32, words: String, host: String, hasHead: Bool, connectStatus: Int = 0) {
    switch code {
    case 1, 8, 100: self = .notHTTP(words)  // an answer of HTTP/0.9, odd, larger than the library allows
    case 3: self = .badURL(host)
    case 5, 97: self = .cannotConnect(words)  // the proxy
    case 6: self = .hostNotFound(host)
    case 7: self = .cannotConnect(words)
    case 28: self = .timedOut
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: self = .tls(words)
    case 56 where connectStatus != 0 && !(200...299).contains(connectStatus):
      self = .cannotConnect("the proxy answered \(connectStatus)")
    case 43 where words.contains("chunk"), 56 where words.contains("chunk"), 88: self = .notHTTP(words)
    case 27 where !hasHead: self = .notHTTP("a line of its head is too long")  // what 7.88 says of that
    case 61: self = .undecodable(words)
    case 16, 18, 52, 55, 56, 65, 92: self = .cutOff(received: 0, expected: nil)
    case 4, 48: self = .unsupported(words)
    default: self = .other("\(words) (libcurl's code \(code))")
    }
  }
}
#endif
