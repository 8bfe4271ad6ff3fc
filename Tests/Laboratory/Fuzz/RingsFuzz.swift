@testable import MillraceTrace

/// Writes as a flight recorder does, and reads back the newest whole lines; then reads with counters that are damaged.
func fuzzRings(_ bytes: [UInt8]) {
  guard bytes.count >= 26 else { return }
  let (capacity, content) = (Int(bytes[0]) + 1, Array(bytes[26...]))
  var image = [UInt8](repeating: 0, count: RingImage.page + capacity)
  image.replaceSubrange(0..<RingImage.magic.utf8.count, with: RingImage.magic.utf8)
  func put(_ number: Int, at offset: Int) {
    for index in 0..<8 { image[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }
  put(content.count, at: RingImage.writtenOffset)
  put(content.count, at: RingImage.reservedOffset)
  for (index, byte) in content.enumerated() { image[RingImage.page + index % capacity] = byte }
  var expected = content.suffix(capacity)
  if content.count > capacity { expected = expected.drop { $0 != 10 }.dropFirst() }
  check(RingImage.unrolled(image) == Array(expected), "the ring reads back otherwise")
  for (index, offset) in [RingImage.writtenOffset, RingImage.reservedOffset, RingImage.headerLengthOffset]
    .enumerated()
  {
    let number = bytes[(1 + 8 * index)..<(9 + 8 * index)]
    image.replaceSubrange(offset..<offset + 8, with: number)
    let read = RingImage.unrolled(image) ?? []
    check(read.count <= image.count, "more is read than there is")
    _ = try? TraceText(image)
  }
}
