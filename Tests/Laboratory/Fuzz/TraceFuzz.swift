import Foundation

@testable import MillraceTrace

/// What is taken is JSON to Foundation too, and reads back as it is written.
func fuzzJSON(_ bytes: [UInt8]) {
  guard let value = try? JSONReader.read(bytes, in: 0..<bytes.count) else { return }
  let text = value.text
  let again = try? JSONReader.read(text)
  check(again == value, "\(text) reads back as \(again?.text ?? "nothing")")
  guard String(validating: bytes, as: UTF8.self) != nil else { return }
  // In a list: Foundation takes some numbers for none that are all of a text. It refuses whole numbers beyond a `Double`.
  let other = try? JSONSerialization.jsonObject(with: Data("[".utf8) + bytes + Data("]".utf8))
  check(other != nil || hasImmenseNumber(value), "Foundation takes this for no JSON")
}

private func hasImmenseNumber(_ value: JSON) -> Bool {
  switch value {
  case .large(let digits): Double(digits)?.isFinite != true
  case .array(let elements): elements.contains(where: hasImmenseNumber)
  case .object(let fields): fields.contains { hasImmenseNumber($0.value) }
  case .null, .bool, .int, .double, .string: false
  }
}

private struct Line: Equatable {
  let number: Int
  let result: Result<TraceLine, LineReader.Failure>
}

private func lines(_ parts: [[UInt8]]) -> [Line] {
  var (scanner, lines) = (LineScanner(), [Line]())
  func take(_ next: LineScanner.Next?) -> Bool {
    guard let (number, result) = next else { return false }
    lines.append(Line(number: number, result: result))
    return true
  }
  for part in parts {
    scanner.add(part)
    while take(scanner.next()) {}
  }
  _ = take(scanner.rest())
  return lines
}

/// A recording's lines are the same in any parts; its history can be told whatever they say.
func fuzzLines(_ bytes: [UInt8]) {
  check(lines([bytes]) == lines(cut(bytes)), "parts give other lines")
  guard let text = try? TraceText(bytes) else { return }
  let history = TraceHistory(text)
  check(history.sequences(from: 0).count == history.actions.count, "an action is lost")
  for run in history.sortedRuns { check(!run.text.isEmpty, "a run without a text") }
}

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
