#if !canImport(Darwin)
/// The header fields of a message as libcurl takes them: a line each, in its own notation.
struct CurlFields {
  let lines: [String]

  init(_ message: HTTPMessage) {
    var headers = message.headers
    // A part of a coded body could not be decoded.
    if headers["accept-encoding"] == nil {
      headers["accept-encoding"] = headers["range"] == nil ? "gzip, deflate" : "identity"
    }
    if headers["user-agent"] == nil { headers["user-agent"] = "Millrace" }
    var lines = headers.lines.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
    // libcurl would wait a second for the server's leave.
    if headers["expect"] == nil { lines.append("expect:") }
    self.lines = lines
  }
}
#endif
