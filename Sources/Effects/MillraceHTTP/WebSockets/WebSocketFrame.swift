/// The header of one frame, as in section 5.2 of RFC 6455.
struct WebSocketFrame: Equatable {
  /// The kinds of frames. All other codes are reserved.
  enum Kind: UInt8, CaseIterable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Whether the frame may occur between the fragments of a message.
    var isControl: Bool { rawValue >= 8 }
  }

  /// The largest payload of a control frame, in bytes.
  static let largestControl = 125

  var kind: Kind
  /// Whether this is the last frame of its message.
  var isFinal = true
  /// The size of the payload in bytes.
  var size: Int
  /// The key that masks the payload; `nil` if it is not masked.
  var mask: UInt32?

  /// Returns the header at the beginning of `bytes`; `nil` if it is incomplete.
  ///
  /// - Throws: `protocolViolation`, at the first byte that is not allowed.
  static func read(_ bytes: ArraySlice<UInt8>) throws(WebSocketFailure) -> WebSocketFrame? {
    guard let first = bytes.first else { return nil }
    guard first & 0x70 == 0 else {
      throw .protocolViolation("a reserved bit is set and no extension was agreed on")
    }
    guard let kind = Kind(rawValue: first & 15) else {
      throw .protocolViolation("the kind \(first & 15) of frame is unknown")
    }
    let isFinal = first & 0x80 != 0
    guard isFinal || !kind.isControl else { throw .protocolViolation("a control frame is fragmented") }
    guard bytes.count > 1 else { return nil }
    let second = bytes[bytes.startIndex + 1]
    let isMasked = second & 0x80 != 0
    let short = Int(second & 127)
    guard !kind.isControl || short <= largestControl else {
      throw .protocolViolation("a control frame is larger than \(largestControl) bytes")
    }
    let sizeBytes = short == 127 ? 8 : short == 126 ? 2 : 0
    var rest = bytes.dropFirst(2)
    if sizeBytes == 8, let highest = rest.first, highest & 0x80 != 0 {
      throw .protocolViolation("the size of a frame is negative")
    }
    guard rest.count >= sizeBytes + (isMasked ? 4 : 0) else { return nil }
    var size = short
    if sizeBytes > 0 {
      size = rest.prefix(sizeBytes).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(sizeBytes)
      guard size > (sizeBytes == 2 ? 125 : 65_535) else {
        throw .protocolViolation("the size of a frame is not written in its shortest form")
      }
    }
    let mask = isMasked ? rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } : nil
    return WebSocketFrame(kind: kind, isFinal: isFinal, size: size, mask: mask)
  }

  /// The bytes of the header.
  var bytes: [UInt8] {
    var bytes = [kind.rawValue | (isFinal ? 0x80 : 0)]
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch size {
    case ...125: bytes.append(maskBit | UInt8(size))
    case ...65_535: bytes += [maskBit | 126] + UInt16(size).bigEndianBytes
    default: bytes += [maskBit | 127] + UInt64(size).bigEndianBytes
    }
    if let mask { bytes += mask.bigEndianBytes }
    return bytes
  }

  /// Returns a whole frame with this payload, whose size is in the header.
  static func whole(
    _ kind: Kind, isFinal: Bool = true, mask: UInt32?, _ payload: some Collection<UInt8>
  ) -> [UInt8] {
    let header = WebSocketFrame(kind: kind, isFinal: isFinal, size: payload.count, mask: mask)
    var bytes = header.bytes
    guard let mask else { return bytes + payload }
    let start = bytes.count
    bytes += payload
    apply(mask, to: &bytes, from: start)
    return bytes
  }

  /// Masks the bytes from `start` on, or removes the mask, which is the same operation. O(number of bytes)
  static func apply(_ mask: UInt32, to bytes: inout [UInt8], from start: Int) {
    let key = mask.bigEndianBytes
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count { bytes[index] ^= key[(index - start) & 3] }
    }
  }
}
