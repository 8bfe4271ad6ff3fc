/// The payload of a close frame: a code and a reason, or nothing.
struct WebSocketClose: Equatable {
  /// The code; `nil` if the frame has none.
  var code: Int?
  var reason = ""

  /// The codes that are used here, of section 7.4.1 of RFC 6455.
  enum Code {
    static let normal = 1000
    static let protocolError = 1002
    static let invalidText = 1007
    static let tooLarge = 1009
  }

  /// Whether a code may be sent. 1004, 1005, 1006 and 1015 are reserved; 3000 to 4999 belong to programs.
  static func isValid(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  init(_ code: Int?, _ reason: String = "") { (self.code, self.reason) = (code, reason) }

  /// Reads a payload. Throws if it violates the protocol.
  init(payload: ArraySlice<UInt8>) throws(WebSocketFailure) {
    guard !payload.isEmpty else { return }
    guard payload.count >= 2 else { throw .protocolViolation("a close frame has one byte") }
    let code = Int(payload[payload.startIndex]) << 8 | Int(payload[payload.startIndex + 1])
    guard Self.isValid(code) else { throw .protocolViolation("the close code \(code) is not valid") }
    guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else { throw .invalidText }
    (self.code, self.reason) = (code, reason)
  }

  /// The bytes of the payload.
  var payload: [UInt8] { code.map { [UInt8($0 >> 8), UInt8($0 & 255)] + reason.utf8 } ?? [] }
}
