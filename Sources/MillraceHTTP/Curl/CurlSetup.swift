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

  /// A variable of the environment. An empty one counts as unset.
  private static func named(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sets everything that a message asks for. Returns the option that the library refuses, if it does.
  func apply(
    to easy: OpaquePointer, _ message: HTTPMessage, _ fields: OpaquePointer?, isFresh: Bool,
    _ library: CurlLibrary
  ) -> CurlOption? {
    var refused: CurlOption?
    func check(_ option: CurlOption, _ code: Int32) { if code != 0, refused == nil { refused = option } }
    func set(_ option: CurlOption, _ value: Int) {
      check(option, millrace_curl_set_long(easy, option.rawValue, value))
    }
    func set(_ option: CurlOption, _ value: String) {
      check(option, millrace_curl_set_text(easy, option.rawValue, value))
    }

    set(.noSignal, 1)
    if library.version >= CurlOption.quickExit.since { set(.quickExit, 1) }
    if library.version >= CurlOption.protocolsText.since {
      set(.protocolsText, "http,https")
    } else {
      set(.protocols, CurlNumber.httpAndHTTPS)
    }
    set(.followLocation, 0)
    set(.url, message.address.sent)
    set(.pathAsIs, 1)
    if let proxy { set(.proxy, proxy) }
    set(.sslVerifyPeer, 1)
    set(.sslVerifyHost, 2)
    if let authoritiesFile { set(.caInfo, authoritiesFile) }
    if let authoritiesFolder { set(.caPath, authoritiesFolder) }
    if library.hasHTTP2 { set(.httpVersion, CurlNumber.http2OverTLS) }
    set(.http09Allowed, 0)
    set(.suppressConnectHeaders, 1)
    set(.httpContentDecoding, 0)
    set(.bufferSize, 64 << 10)
    set(.tcpKeepAlive, 1)
    // A library that does not call before it sends over a kept connection gets none.
    let isAlone = message.hasOwnConnection || !library.callsBeforeSending
    if isAlone || isFresh { set(.freshConnect, 1) }
    if isAlone { set(.forbidReuse, 1) }

    if message.method == "HEAD" {
      set(.noBody, 1)
    } else if let size = message.body.size ?? (["POST", "PUT", "PATCH"].contains(message.method) ? 0 : nil) {
      set(.upload, 1)
      check(.inFileSizeLarge, millrace_curl_set_size(easy, CurlOption.inFileSizeLarge.rawValue, Int64(size)))
      set(.customRequest, message.method)
    } else {
      set(.httpGet, 1)
      set(.customRequest, message.method)
    }
    check(.httpHeader, millrace_curl_set_list(easy, CurlOption.httpHeader.rawValue, fields))
    return refused
  }
}
#endif
