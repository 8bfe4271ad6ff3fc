#if !canImport(Darwin)
/// The options of libcurl's transfers that are used here, by their numbers, which never change. Their names are those
/// of the library, without regard to case and underscores.
///
/// A test compares `allCases` with the library's own table.
enum CurlOption: Int32, CaseIterable {
  case url = 10002
  case proxy = 10004
  case httpHeader = 10023
  case customRequest = 10036
  case noBody = 44
  case upload = 46
  case followLocation = 52
  case httpProxyTunnel = 61
  case sslVerifyPeer = 64
  case caInfo = 10065
  case freshConnect = 74
  case forbidReuse = 75
  case httpGet = 80
  case sslVerifyHost = 81
  case httpVersion = 84
  case caPath = 10097
  case bufferSize = 98
  case noSignal = 99
  case inFileSizeLarge = 30115
  case connectOnly = 141
  case httpContentDecoding = 158
  case protocols = 181
  case tcpKeepAlive = 213
  case pathAsIs = 234
  case suppressConnectHeaders = 265
  case http09Allowed = 285
  case maxAgeConn = 288
  case protocolsStr = 10318
  case quickExit = 322

  /// The first version with the option, as 0xXXYYZZ; 0 if the oldest supported version has it.
  var since: UInt32 {
    switch self {
    case .protocolsStr: 0x075500
    case .quickExit: 0x075700
    default: 0
    }
  }
}

/// Other numbers of libcurl's interface, which never change either.
enum CurlNumber {
  static let httpConnectCode: Int32 = 0x200000 + 22
  static let maxConnects: Int32 = 6
  static let http11 = 2
  static let http2OverTLS = 4
  static let httpAndHTTPS = 3
  static let ok: Int32 = 0
  static let again: Int32 = 81
}
#endif
