import Testing

@testable import Millrace

/// The decisions, without threads.
@Suite("Conflation")
struct ConflationTests {
  private final class Driver {
    private var conflation = Conflation<Int>()
    var isServing: Bool { conflation.isServing }
    func valueArrived(_ value: Int) -> Bool { conflation.valueArrived(value) }
    func servingAdvanced() -> Int? { conflation.servingAdvanced() }
    func connectionEnded() { conflation.connectionEnded() }
  }

  private let conflation = Driver()

  @Test("the first value is given, and what equals it is not")
  func first() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(conflation.servingAdvanced() == nil)
    #expect(!conflation.valueArrived(1))
    #expect(!conflation.isServing)
  }

  @Test("while it is served, the newest value replaces the one that waits")
  func newest() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(!conflation.valueArrived(2))
    #expect(!conflation.valueArrived(3))
    #expect(conflation.servingAdvanced() == 3)
    #expect(conflation.servingAdvanced() == nil)
    #expect(conflation.valueArrived(1))
  }

  @Test("a value that goes back to the last one given is not given again")
  func backAgain() {
    #expect(conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == 1)
    #expect(!conflation.valueArrived(2))
    #expect(!conflation.valueArrived(1))
    #expect(conflation.servingAdvanced() == nil)
  }

  @Test("after the connection has ended nothing is given")
  func ended() {
    #expect(conflation.valueArrived(1))
    conflation.connectionEnded()
    #expect(conflation.servingAdvanced() == nil)
    #expect(!conflation.isServing)
  }
}

@Suite("LoopTrail")
struct LoopTrailTests {
  private final class Driver {
    private var trail = LoopTrail()
    func runStarted(_ link: LoopTrail.Link) -> String? { trail.runStarted(link) }
  }

  private let trail = Driver()

  @Test("a chain is no loop until a connection comes up again, and then the cycle alone is told")
  func cycle() {
    #expect(trail.runStarted(.init(connection: 1, text: "start")) == nil)
    #expect(trail.runStarted(.init(connection: 2, text: "ping")) == nil)
    #expect(trail.runStarted(.init(connection: 3, text: "pong")) == nil)
    #expect(trail.runStarted(.init(connection: 2, text: "ping again")) == "pong → ping again")
  }

  @Test("an effect that answers itself is a cycle of one")
  func selfAnswer() {
    #expect(trail.runStarted(.init(connection: 1, text: "a")) == nil)
    #expect(trail.runStarted(.init(connection: 1, text: "b")) == "b")
  }
}

@Suite("ActionBuffer")
struct ActionBufferTests {
  @Test("first in, first out, however appending and removing take turns", arguments: 0..<20)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = ActionBuffer()
    defer { buffer.destroy(String.self) }
    var model: [String] = []
    var number = 0
    for _ in 0..<500 {
      if Int.random(in: 0..<100, using: &random) < (number < 250 ? 60 : 45) || model.isEmpty {
        buffer.append("\(number)")
        model.append("\(number)")
        number += 1
      } else {
        #expect(buffer.next(String.self).pointee == model.removeFirst())
        buffer.removeNext(String.self)
      }
      #expect(buffer.isEmpty == model.isEmpty)
    }
  }

  @Test("a removed action is released at once, and the rest when the buffer ends")
  func releases() {
    final class Token {}
    var buffer = ActionBuffer()
    var tokens: [Token] = (0..<3).map { _ in Token() }
    weak let first = tokens[0]
    weak let last = tokens[2]
    for token in tokens { buffer.append(token) }
    tokens = []
    #expect(first != nil)
    buffer.removeNext(Token.self)
    #expect(first == nil)
    #expect(last != nil)
    buffer.destroy(Token.self)
    #expect(last == nil)
  }

  @Test("a burst goes through, and is taken again")
  func burst() {
    var buffer = ActionBuffer()
    defer { buffer.destroy(Int.self) }
    for _ in 0..<2 {
      for number in 0..<10_000 { buffer.append(number) }
      for number in 0..<10_000 {
        #expect(buffer.next(Int.self).pointee == number)
        buffer.removeNext(Int.self)
      }
      #expect(buffer.isEmpty)
    }
  }
}
