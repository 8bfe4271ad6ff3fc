#if !canImport(Darwin)
import CMillraceCurl
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

  /// Sets all options for a message. Returns the option that the library refuses, if any.
  func apply(
    to easy: OpaquePointer, _ message: HTTPMessage, _ fields: OpaquePointer?, isFresh: Bool,
    _ library: CurlLibrary
  ) -> CurlOption? {
    var options = CurlOptions(easy)
    reach(message.address, &options, library)
    if library.hasHTTP2 { options.set(.httpVersion, CurlNumber.http2OverTLS) }
    options.set(.http09Allowed, 0)
    options.set(.httpContentDecoding, 0)
    options.set(.bufferSize, 64 << 10)
    // If the library does not call before it sends over a kept connection, each request gets a new one.
    let isAlone = message.hasOwnConnection || !library.callsBeforeSending
    if isAlone || isFresh { options.set(.freshConnect, 1) }
    if isAlone { options.set(.forbidReuse, 1) }

    if message.method == "HEAD" {
      options.set(.noBody, 1)
    } else if let size = message.body.size ?? (["POST", "PUT", "PATCH"].contains(message.method) ? 0 : nil) {
      options.set(.upload, 1)
      options.check(
        .inFileSizeLarge, millrace_curl_set_size(easy, CurlOption.inFileSizeLarge.rawValue, Int64(size)))
      options.set(.customRequest, message.method)
    } else {
      options.set(.httpGet, 1)
      options.set(.customRequest, message.method)
    }
    options.check(.httpHeader, millrace_curl_set_list(easy, CurlOption.httpHeader.rawValue, fields))
    return options.refused
  }

  /// Sets all options for a connection that carries another protocol. Returns the option that the library refuses, if
  /// any.
  func apply(to easy: OpaquePointer, connectingTo address: HTTPAddress, _ library: CurlLibrary) -> CurlOption?
  {
    var options = CurlOptions(easy)
    reach(address, &options, library)
    // Otherwise a server could choose HTTP/2 in the TLS handshake, and a proxy could take the bytes for requests to
    // itself.
    options.set(.httpVersion, CurlNumber.http11)
    options.set(.httpProxyTunnel, 1)
    options.set(.connectOnly, 1)
    return options.refused
  }

  /// Sets the options that both `apply` methods share.
  private func reach(_ address: HTTPAddress, _ options: inout CurlOptions, _ library: CurlLibrary) {
    options.set(.noSignal, 1)
    if library.version >= CurlOption.quickExit.since { options.set(.quickExit, 1) }
    if library.version >= CurlOption.protocolsText.since {
      options.set(.protocolsText, "http,https")
    } else {
      options.set(.protocols, CurlNumber.httpAndHTTPS)
    }
    options.set(.followLocation, 0)
    options.set(.url, address.sent)
    options.set(.pathAsIs, 1)
    if let proxy { options.set(.proxy, proxy) }
    options.set(.sslVerifyPeer, 1)
    options.set(.sslVerifyHost, 2)
    if let authoritiesFile { options.set(.caInfo, authoritiesFile) }
    if let authoritiesFolder { options.set(.caPath, authoritiesFolder) }
    options.set(.suppressConnectHeaders, 1)
    options.set(.tcpKeepAlive, 1)
    options.set(.maxAgeConn, longestIdle)
  }
}

/// Sets options of one transfer, and records the first one that the library refuses.
private struct CurlOptions {
  private let easy: OpaquePointer
  private(set) var refused: CurlOption?

  init(_ easy: OpaquePointer) { self.easy = easy }

  mutating func check(_ option: CurlOption, _ code: Int32) {
    if code != 0, refused == nil { refused = option }
  }

  mutating func set(_ option: CurlOption, _ value: Int) {
    check(option, millrace_curl_set_long(easy, option.rawValue, value))
  }

  mutating func set(_ option: CurlOption, _ value: String) {
    check(option, millrace_curl_set_text(easy, option.rawValue, value))
  }
}
#endif
