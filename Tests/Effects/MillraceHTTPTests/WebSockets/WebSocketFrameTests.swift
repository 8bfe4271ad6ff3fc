import Testing

@testable import MillraceHTTP

@Suite struct WebSocketFrameTests {
  private static let hello = Array("Hello".utf8)

  @Test("the examples of RFC 6455, section 5.7, are read and written")
  func examples() {
    let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    #expect(WebSocketFrame.whole(.text, mask: 0x37FA_213D, Self.hello) == masked)
    #expect(WebSocketFrame.whole(.text, mask: nil, Self.hello) == [0x81, 0x05] + Self.hello)
    #expect(
      WebSocketFrame.whole(.text, isFinal: false, mask: nil, "Hel".utf8) == [0x01, 0x03, 0x48, 0x65, 0x6C])
    #expect(WebSocketFrame.whole(.continuation, mask: nil, "lo".utf8) == [0x80, 0x02, 0x6C, 0x6F])
    #expect(WebSocketFrame.whole(.ping, mask: nil, Self.hello) == [0x89, 0x05] + Self.hello)
    #expect(WebSocketFrame(kind: .binary, size: 256).bytes == [0x82, 0x7E, 0x01, 0x00])
    #expect(WebSocketFrame(kind: .binary, size: 65_536).bytes == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    var bytes = masked
    WebSocketFrame.apply(0x37FA_213D, to: &bytes, from: 6)
    #expect(bytes.suffix(5) == Self.hello)
  }

  @Test(
    "a header that is written is read again, and is incomplete without its last byte",
    arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 1 << 40, Int.max])
  func sizes(size: Int) throws {
    for kind in WebSocketFrame.Kind.allCases where !kind.isControl || size <= 125 {
      for mask in [nil, 0, UInt32.max, 0x0102_0304] {
        for isFinal in [true, false] where isFinal || !kind.isControl {
          let frame = WebSocketFrame(kind: kind, isFinal: isFinal, size: size, mask: mask)
          let bytes = frame.bytes
          #expect(bytes.count <= 14)
          #expect(try WebSocketFrame.read(bytes[...]) == frame)
          #expect(try WebSocketFrame.read((bytes + [1, 2, 3])[...]) == frame)
          for count in 0..<bytes.count {
            #expect(try WebSocketFrame.read(bytes.prefix(count)) == nil)
          }
        }
      }
    }
  }

  @Test(
    "of the 256 first bytes, those with a reserved bit or kind, and fragmented control frames, are violations"
  )
  func firstBytes() throws {
    for byte in UInt8.min...UInt8.max {
      let isKnown = [0, 1, 2, 8, 9, 10].contains(byte & 15)
      let isRight = byte & 0x70 == 0 && isKnown && (byte & 0x80 != 0 || byte & 15 < 8)
      if isRight {
        #expect(try WebSocketFrame.read([byte]) == nil)
      } else {
        #expect(throws: WebSocketFailure.self) { try WebSocketFrame.read([byte]) }
      }
    }
  }

  @Test("a size that is not in its shortest form, or is negative, is a violation")
  func wrongSizes() {
    let headers: [[UInt8]] = [
      [0x82, 126, 0, 125], [0x82, 126, 0, 0], [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
      [0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1], [0x82, 127, 0x80], [0x82, 127, 0xFF, 0xFF],
      [0x89, 126], [0x88, 127], [0x8A, 0xFE],
    ]
    for header in headers {
      #expect(throws: WebSocketFailure.self) { try WebSocketFrame.read(header[...]) }
    }
  }

  @Test("masking twice gives the bytes again, whatever the start and the length")
  func masking() {
    for count in 0..<20 {
      let bytes = (0..<count).map { UInt8($0 * 7) }
      for start in 0...count {
        var masked = bytes
        WebSocketFrame.apply(0xA1B2_C3D4, to: &masked, from: start)
        #expect(masked[..<start] == bytes[..<start])
        #expect(count == start || masked != bytes)
        WebSocketFrame.apply(0xA1B2_C3D4, to: &masked, from: start)
        #expect(masked == bytes)
      }
    }
  }
}
