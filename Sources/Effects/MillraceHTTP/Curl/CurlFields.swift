#if !canImport(Darwin)
/// The header fields of a message, one line each in libcurl's notation.
struct CurlFields {
  let lines: [String]

  init(_ message: HTTPMessage) {
    var headers = message.headers
    // A part of a coded body cannot be decoded.
    if headers["accept-encoding"] == nil {
      headers["accept-encoding"] = headers["range"] == nil ? "gzip, deflate" : "identity"
    }
    if headers["user-agent"] == nil { headers["user-agent"] = "Millrace" }
    var lines = headers.lines.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
    // Without this field, libcurl would wait a second for the server's permission to send the body.
    if headers["expect"] == nil { lines.append("expect:") }
    self.lines = lines
  }
}
#endif
