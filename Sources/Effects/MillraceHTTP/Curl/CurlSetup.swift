#if !canImport(Darwin)
import CMillraceCurl
import Foundation

/// The settings that all transfers of a client share.
struct CurlSetup: Sendable {
  /// A file of certificate authorities, and a folder of them, in place of the system's.
  var authoritiesFile = named("SSL_CERT_FILE")
  var authoritiesFolder = named("SSL_CERT_DIR")
  /// In place of what the environment says; empty for none.
  var proxy: String?
  /// The longest time in seconds after which an idle connection is used again.
  var longestIdle = 118

  /// A variable of the environment. An empty one counts as unset.
  private static func named(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sets everything that a message asks for. Returns the option that the library refuses, if it does.
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
    // A library that does not call before it sends over a kept connection gets none.
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

  /// Sets everything for a connection that carries bytes of another protocol. Returns the option that the library
  /// refuses, if it does.
  func apply(to easy: OpaquePointer, connectingTo address: HTTPAddress, _ library: CurlLibrary) -> CurlOption?
  {
    var options = CurlOptions(easy)
    reach(address, &options, library)
    // Else a server may choose HTTP/2 while TLS begins, and a proxy may take the bytes for requests to itself.
    options.set(.httpVersion, CurlNumber.http11)
    options.set(.httpProxyTunnel, 1)
    options.set(.connectOnly, 1)
    return options.refused
  }

  /// Sets where a connection leads, and how.
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

/// Sets options of one transfer, and notes the first that the library refuses.
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
