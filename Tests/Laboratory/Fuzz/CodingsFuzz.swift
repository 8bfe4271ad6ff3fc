import Foundation

@testable import MillraceHTTP

private let steps: [[BodyCoding.Step]] = [
  [.gzip], [.deflate], [.gzip, .gzip], [.deflate, .gzip], [.gzip, .deflate], [.gzip, .gzip, .gzip],
]

/// Decodes up to a megabyte. Returns it, and whether it came to an end.
private func decoded(_ parts: [[UInt8]], _ steps: [BodyCoding.Step]) -> (body: Data, isWhole: Bool) {
  var decoder = BodyDecoder(.steps(steps))
  var body = Data()
  do {
    for part in parts where !part.isEmpty {
      decoder.received(Data(part))
      while let more = try decoder.next() {
        check(more.count <= Inflation.largestPart, "a part that is too large")
        body += more
        if body.count > 1 << 20 { return (body.prefix(1 << 20), true) }
      }
    }
    try decoder.finish()
    return (body, true)
  } catch { return (body, false) }
}

/// A coded body is the same in any parts, and what is stored in it comes out.
func fuzzCodings(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let (rest, steps) = (Array(bytes.dropFirst()), steps[Int(first) % steps.count])
  let (whole, parts) = (decoded([rest], steps), decoded(cut(rest), steps))
  check(whole.isWhole == parts.isWhole, "parts end otherwise")
  if whole.isWhole { check(whole.body == parts.body, "parts give another body") }
  let content = rest.prefix(65_535)
  let size = [UInt8(content.count & 255), UInt8(content.count >> 8)]
  let stored = [1] + size + size.map { ~$0 } + content
  let body = decoded(cut(stored), [.deflate])
  // What looks as the head of zlib is taken for it.
  let hasHead = stored[0] & 15 == 8
  check(hasHead || (body.isWhole && body.body == Data(content)), "what is stored comes out otherwise")
}
