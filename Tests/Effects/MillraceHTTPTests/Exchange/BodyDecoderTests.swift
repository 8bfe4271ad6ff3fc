#if !canImport(Darwin)
import Foundation
import Testing

@testable import MillraceHTTP

@Suite struct BodyDecoderTests {
  @Test(
    "what comes before a break is decoded, in whatever parts the bytes come", arguments: [1, 2, 5, 1_000])
  func broken(size: Int) {
    let content = Array("what came before".utf8)
    let count = UInt8(content.count)
    // A stored block of deflate, and one of a kind that there is not.
    let bytes = [0, count, 0, ~count, 0xFF] + content + [7]
    var decoder = BodyDecoder(.steps([.deflate]))
    var body = Data()
    var failure: HTTPFailure?
    do throws(HTTPFailure) {
      for start in stride(from: 0, to: bytes.count, by: size) {
        decoder.received(Data(bytes[start..<min(start + size, bytes.count)]))
        while let more = try decoder.next() { body += more }
      }
    } catch { failure = error }
    #expect(body == Data(content))
    #expect(failure == .undecodable("its deflate code is broken"))
  }
}
#endif
