#if !canImport(Darwin)
import Foundation

/// The settings that all transfers of a client share.
struct CurlSetup: Sendable {
  /// A file and a folder of certificate authorities that replace the system's.
  var authoritiesFile = named("SSL_CERT_FILE")
  var authoritiesFolder = named("SSL_CERT_DIR")
  /// The proxy that replaces the environment's; empty for none.
  var proxy: String?
  /// The longest idle time in seconds after which a connection is used again.
  var longestIdle = 118

  /// Returns a variable of the environment. An empty one counts as unset.
  private static func named(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sets all options for a message.
  func apply(
    to easy: CurlEasy, _ message: HTTPMessage, isFresh: Bool, _ library: CurlLibrary
  ) throws(HTTPFailure) {
    reach(message.address, easy, library)
    if library.hasHTTP2 { easy.set(.httpVersion, CurlNumber.http2OverTLS) }
    easy.set(.http09Allowed, 0)
    easy.set(.httpContentDecoding, 0)
    easy.set(.bufferSize, 64 << 10)
    // If the library does not call before it sends over a kept connection, each request gets a new one.
    let isAlone = message.hasOwnConnection || !library.callsBeforeSending
    if isAlone || isFresh { easy.set(.freshConnect, 1) }
    if isAlone { easy.set(.forbidReuse, 1) }

    if message.method == "HEAD" {
      easy.set(.noBody, 1)
    } else if let size = message.body.size ?? (["POST", "PUT", "PATCH"].contains(message.method) ? 0 : nil) {
      easy.set(.upload, 1)
      easy.setSize(size)
      easy.set(.customRequest, message.method)
    } else {
      easy.set(.httpGet, 1)
      easy.set(.customRequest, message.method)
    }
    easy.setFields(message.curlFields)
    try easy.checkOptions()
  }

  /// Sets all options for a connection that carries another protocol.
  func apply(
    to easy: CurlEasy, connectingTo address: HTTPAddress, _ library: CurlLibrary
  ) throws(HTTPFailure) {
    reach(address, easy, library)
    // Otherwise a server could choose HTTP/2 in the TLS handshake, and a proxy could take the bytes for requests to
    // itself.
    easy.set(.httpVersion, CurlNumber.http11)
    easy.set(.httpProxyTunnel, 1)
    easy.set(.connectOnly, 1)
    try easy.checkOptions()
  }

  /// Sets the options that both `apply` methods share.
  private func reach(_ address: HTTPAddress, _ easy: CurlEasy, _ library: CurlLibrary) {
    easy.set(.noSignal, 1)
    if library.version >= CurlOption.quickExit.since { easy.set(.quickExit, 1) }
    if library.version >= CurlOption.protocolsStr.since {
      easy.set(.protocolsStr, "http,https")
    } else {
      easy.set(.protocols, CurlNumber.httpAndHTTPS)
    }
    easy.set(.followLocation, 0)
    easy.set(.url, address.sent)
    easy.set(.pathAsIs, 1)
    if let proxy { easy.set(.proxy, proxy) }
    easy.set(.sslVerifyPeer, 1)
    easy.set(.sslVerifyHost, 2)
    if let authoritiesFile { easy.set(.caInfo, authoritiesFile) }
    if let authoritiesFolder { easy.set(.caPath, authoritiesFolder) }
    easy.set(.suppressConnectHeaders, 1)
    easy.set(.tcpKeepAlive, 1)
    easy.set(.maxAgeConn, longestIdle)
  }
}

extension HTTPMessage {
  /// The header fields, one line each in libcurl's notation.
  fileprivate var curlFields: [String] {
    var headers = headers
    // A part of a coded body cannot be decoded.
    if headers["accept-encoding"] == nil {
      headers["accept-encoding"] = headers["range"] == nil ? "gzip, deflate" : "identity"
    }
    if headers["user-agent"] == nil { headers["user-agent"] = "Millrace" }
    let lines = headers.lines.map { name, value in value.isEmpty ? "\(name);" : "\(name): \(value)" }
    // Without this field, libcurl would wait a second for the server's permission to send the body.
    return headers["expect"] == nil ? lines + ["expect:"] : lines
  }
}
#endif
