@testable import MillraceHTTP

/// Messages are the same in any parts, and a frame that is written reads back.
func fuzzFrames(_ bytes: [UInt8]) {
  let (largest, most) = (1 << (4 + bytes.count & 15), 8)
  var whole = WebSocketReader(largestMessage: largest, mostFragments: most)
  var parts = WebSocketReader(largestMessage: largest, mostFragments: most)
  let items = whole.received(bytes)
  check(cut(bytes).flatMap { parts.received($0) } == items, "parts give other messages")
  check(whole.failure == parts.failure && whole.isClosed == parts.isClosed, "parts end otherwise")
  var reader = WebSocketReader(largestMessage: bytes.count)
  var frame = WebSocketFrame.whole(.binary, mask: nil, bytes)
  check(reader.received(frame) == [.message(.binary(.init(bytes)))], "a frame reads back otherwise")
  frame = WebSocketFrame.whole(.binary, mask: 0x1234_5678, bytes)
  WebSocketFrame.apply(0x1234_5678, to: &frame, from: frame.count - bytes.count)
  check(frame.suffix(bytes.count).elementsEqual(bytes), "a mask is not undone")
}
