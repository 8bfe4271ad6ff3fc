import Testing

@testable import MillraceHTTP

@Suite struct SendDecisionTests {
  @Test("what was sent is sent again only if it may be, over whatever connection")
  func repeated() {
    for connection in [SendDecision.Connection.fresh, .kept, .unusable] {
      for isFresh in [false, true] {
        let once = SendDecision(over: connection, wasSent: true, mayBeRepeated: false, isAskedFresh: isFresh)
        #expect(once == .mustNotBeRepeated)
        let again = SendDecision(over: connection, wasSent: true, mayBeRepeated: true, isAskedFresh: isFresh)
        #expect(again == (connection == .unusable && !isFresh ? .needsFreshConnection : .send))
        let first = SendDecision(
          over: connection, wasSent: false, mayBeRepeated: false, isAskedFresh: isFresh)
        #expect(first == (connection == .unusable && !isFresh ? .needsFreshConnection : .send))
      }
    }
  }

  @Test("the methods that change nothing at the server may be repeated, and no others")
  func methods() {
    #expect(["GET", "HEAD", "OPTIONS", "TRACE"].allSatisfy { SendDecision.mayRepeat($0) })
    #expect(!["POST", "PUT", "PATCH", "DELETE", "LOCK", "get", ""].contains { SendDecision.mayRepeat($0) })
  }

  @Test("an answer without a body ends its connection if its head may be followed by one")
  func followed() {
    func mayBe(_ status: Int, _ headers: HTTPHeaders = [:], method: String = "GET") -> Bool {
      HTTPHead(status: status, headers: headers).mayBeFollowedByBytes(method: method)
    }
    #expect(mayBe(200, method: "HEAD"))
    #expect(mayBe(204, ["content-length": "5"]))
    #expect(mayBe(304, ["content-length": "5"]))
    #expect(mayBe(204, ["transfer-encoding": "chunked"]))
    #expect(!mayBe(204))
    #expect(!mayBe(304, ["content-length": "0"]))
    #expect(!mayBe(200, ["content-length": "5"]))
  }
}

@Suite struct LookupSlotsTests {
  @Test("look-ups beyond the limit begin in order as others end")
  func order() {
    var slots = LookupSlots()
    let granted = (0...LookupSlots.most).map { _ in slots.wanted() }
    #expect(granted == Array(repeating: true, count: LookupSlots.most) + [false])
    for number in 1...4 { slots.waits(number) }
    #expect(slots.next() == [])
    slots.abandoned(1)
    slots.ended()
    slots.ended()
    #expect(slots.next() == [2, 3])
    #expect([slots.wanted(), slots.wanted(), slots.wanted()] == [true, true, false])
    #expect(slots.next() == [])
    slots.ended()
    #expect(slots.next() == [4])
    #expect(!slots.isEmpty)
    for _ in 1..<LookupSlots.most { slots.ended() }
    #expect(slots.isEmpty)
  }
}

@Suite struct ConnectionSlotsTests {
  private func origin(_ host: String) -> HTTPAddress.Origin { .init(scheme: "http", host: host, port: 80) }

  @Test("requests beyond the limit of a host wait in order, and hosts do not wait for each other")
  func order() {
    var slots = ConnectionSlots(perHost: 2)
    #expect((1...4).map { slots.wanted($0, at: origin("a")) } == [true, true, false, false])
    #expect(slots.wanted(5, at: origin("b")) == true)
    #expect(slots.ended(at: origin("a")) == 3)
    #expect(slots.wanted(6, at: origin("a")) == false)
    #expect(slots.ended(at: origin("a")) == 4)
    #expect(slots.ended(at: origin("a")) == 6)
    #expect(slots.ended(at: origin("a")) == nil)
    #expect(slots.ended(at: origin("a")) == nil)
    #expect(slots.ended(at: origin("b")) == nil)
    #expect(slots.isEmpty)
    #expect(slots.ended(at: origin("a")) == nil)
  }

  @Test("an abandoned request does not begin, and takes no other request's place")
  func abandoned() {
    var slots = ConnectionSlots(perHost: 1)
    #expect((1...4).map { slots.wanted($0, at: origin("a")) } == [true, false, false, false])
    #expect(slots.abandoned(1) == false)
    #expect(slots.abandoned(2) == true)
    #expect(slots.abandoned(2) == false)
    #expect(slots.ended(at: origin("a")) == 3)
    #expect(slots.abandoned(4) == true)
    #expect(slots.ended(at: origin("a")) == nil)
    #expect(slots.isEmpty)
  }

  @Test("a hundred thousand that wait are begun in order")
  func many() {
    var slots = ConnectionSlots(perHost: 0)
    #expect(slots.wanted(0, at: origin("a")) == true)
    for number in 1..<100_000 where slots.wanted(number, at: origin("a")) { Issue.record("\(number)") }
    var isOrdered = true
    for number in 1..<100_000 where slots.ended(at: origin("a")) != number { isOrdered = false }
    #expect(isOrdered)
    #expect(slots.ended(at: origin("a")) == nil)
  }
}
