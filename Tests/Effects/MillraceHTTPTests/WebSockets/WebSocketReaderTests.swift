import Foundation
import HostileServer
import TestSupport
import Testing

@testable import MillraceHTTP

@Suite struct WebSocketReaderTests {
  private typealias Peer = WebSocketPeer
  private typealias Code = WebSocketPeer.Code

  /// Reads everything at once.
  private func read(
    _ bytes: [UInt8], largestMessage: Int = 1_000, mostFragments: Int = 100
  ) -> (items: [WebSocketReader.Item], failure: WebSocketFailure?) {
    var reader = WebSocketReader(largestMessage: largestMessage, mostFragments: mostFragments)
    let items = reader.received(bytes)
    return (items, reader.failure)
  }

  @Test("messages are joined from fragments, with control frames in between, for every split of the input")
  func splits() {
    let bytes =
      Peer.frame(Code.text, Array("Hé".utf8).dropLast(), isFinal: false) + Peer.frame(Code.ping, [7])
      + Peer.frame(Code.continuation, [0xA9], isFinal: false) + Peer.frame(Code.continuation, [])
      + Peer.frame(Code.binary, Array(repeating: 1, count: 130)) + Peer.frame(Code.text, [])
      + Peer.frame(Code.pong, []) + Peer.frame(Code.close, [3, 0xE8] + Array("done".utf8))
    let expected: [WebSocketReader.Item] = [
      .ping([7]), .message(.text("Hé")), .message(.binary(Data(repeating: 1, count: 130))),
      .message(.text("")), .pong([]), .close(WebSocketClose(1000, "done")),
    ]
    for first in 0...bytes.count {
      for second in stride(from: first, through: bytes.count, by: 3) {
        var reader = WebSocketReader(largestMessage: 1_000)
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(parts.flatMap { reader.received($0) } == expected)
        #expect(reader.failure == nil && reader.isClosed)
      }
    }
    var reader = WebSocketReader(largestMessage: 1_000)
    #expect(bytes.flatMap { reader.received([$0]) } == expected)
  }

  @Test("nothing is read after a close frame")
  func closed() {
    let (items, failure) = read(Peer.frame(Code.close, []) + Peer.frame(Code.text, [65]) + [0xFF])
    #expect(items == [.close(WebSocketClose(nil))])
    #expect(failure == nil)
  }

  @Test(
    "a message may be as large as allowed and no larger, whatever its fragments; the size is checked at once")
  func sizes() {
    let whole = Peer.frame(Code.binary, Array(repeating: 0, count: 10))
    #expect(read(whole, largestMessage: 10).items.count == 1)
    #expect(read(Array(whole.prefix(2)), largestMessage: 9).failure == .messageTooLarge(limit: 9))
    let parts =
      Peer.frame(Code.text, Array(repeating: 65, count: 6), isFinal: false)
      + Peer.frame(Code.continuation, [65, 65])
    #expect(read(parts, largestMessage: 8).items == [.message(.text("AAAAAAAA"))])
    #expect(read(Array(parts.prefix(10)), largestMessage: 7).failure == .messageTooLarge(limit: 7))
    let huge: [UInt8] = [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(read(huge).failure == .messageTooLarge(limit: 1_000))
  }

  @Test("a message may have as many fragments as allowed and no more")
  func fragments() {
    func bytes(_ count: Int) -> [UInt8] {
      Peer.frame(Code.binary, [], isFinal: false)
        + (2..<count).flatMap { _ in Peer.frame(Code.continuation, [], isFinal: false) }
        + Peer.frame(Code.continuation, [])
    }
    #expect(read(bytes(5), mostFragments: 5).items == [.message(.binary(Data()))])
    #expect(read(bytes(6), mostFragments: 5).failure == .tooManyFragments(limit: 5))
  }

  @Test("an invalid byte of a text ends the connection at once, before the text is whole")
  func textIsCheckedEarly() {
    let frame = Peer.frame(Code.text, [0xC3, 0x28] + Array(repeating: 65, count: 500))
    #expect(read(Array(frame.prefix(6))).failure == .invalidText)
    #expect(read(Peer.frame(Code.text, [0xC3])).failure == .invalidText)
    #expect(read(Peer.frame(Code.binary, [0xC3])).failure == nil)
  }

  @Test("bytes are UTF-8 exactly if the standard library says so, and a prefix is valid if it can go on")
  func utf8() {
    func isValid(_ bytes: [UInt8]) -> Bool {
      var check = UTF8Check()
      return check.isValid(bytes[...]) && check.isAtEnd
    }
    let edges: [UInt8] = [
      0, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
      0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var differences: [[UInt8]] = []
    func compare(_ bytes: [UInt8], depth: Int) {
      if isValid(bytes) != (String(validating: bytes, as: UTF8.self) != nil) { differences.append(bytes) }
      if depth > 0 { for byte in edges { compare(bytes + [byte], depth: depth - 1) } }
    }
    compare([], depth: 3)
    for lead: UInt8 in [0xF0, 0xF1, 0xF3, 0xF4, 0xF5] { compare([lead], depth: 3) }
    #expect(differences.isEmpty)
  }

  @Test("close frames with one byte, a reserved code or a broken reason are violations; others are not")
  func closes() throws {
    for code in 0...5_000 {
      let payload = [UInt8(code >> 8), UInt8(code & 255)]
      let isRight = [1000...1003, 1007...1014, 3000...4999].contains { $0.contains(code) }
      let (items, failure) = read(Peer.frame(Code.close, payload))
      #expect((items == [.close(WebSocketClose(code))]) == isRight, "\(code)")
      #expect((failure == nil) == isRight, "\(code)")
    }
    #expect(read(Peer.frame(Code.close, [3])).failure != nil)
    #expect(read(Peer.frame(Code.close, [3, 0xE8, 0xFF])).failure == .invalidText)
    #expect(WebSocketClose(1001, "bye").payload == [3, 0xE9] + Array("bye".utf8))
    #expect(WebSocketClose(nil).payload == [])
  }

  @Test("10,000 hostile inputs end in a typed failure or in what was sent before, however they are split")
  func hostile() {
    var random = SeededGenerator(seed: 6455)
    for _ in 0..<10_000 {
      var bytes = Peer.fragments(
        Array("hostile".utf8), isText: Bool.random(using: &random), using: &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let whole = read(bytes, largestMessage: 200)
      var reader = WebSocketReader(largestMessage: 200, mostFragments: 100)
      var items: [WebSocketReader.Item] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...5, using: &random))
        rest = rest.dropFirst(part.count)
        items += reader.received(part)
      }
      #expect(items == whole.items)
      #expect(reader.failure == whole.failure)
      #expect(whole.failure.map { $0.closeCode != nil && !$0.isTransient } ?? true)
    }
  }

  @Test(
    "every one of the hostile frames is a failure with the code that it deserves", arguments: HostileFrame.all
  )
  func hostileFrames(frame: HostileFrame) {
    let (items, failure) = read(frame.bytes, largestMessage: HostileFrame.largestMessage)
    #expect(items.count == frame.messagesBefore)
    #expect(failure?.closeCode == frame.closeCode)
  }

  @Test("there are at least 200 hostile frames")
  func count() {
    #expect(HostileFrame.all.count >= 200)
    #expect(Set(HostileFrame.all.map(\.name)).count == HostileFrame.all.count)
  }
}
