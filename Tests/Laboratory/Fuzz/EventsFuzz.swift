import MillraceHTTP

/// Events are the same in any parts.
func fuzzEvents(_ bytes: [UInt8]) {
  let largest = 1 << (4 + bytes.count & 15)
  var (whole, parts) = (
    ServerSentEventParser(largestEvent: largest), ServerSentEventParser(largestEvent: largest)
  )
  let events = whole.received(bytes)
  check(cut(bytes).flatMap { parts.received($0) } == events, "parts give other events")
  check(whole == parts, "parts leave another parser")
  check(events.allSatisfy { !$0.lastEventID.contains("\0") }, "an identifier with a zero")
}
