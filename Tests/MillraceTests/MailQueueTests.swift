import Testing

@testable import Millrace

@Suite("MailQueue")
struct MailQueueTests {
  /// A queue of actions of one type, as a state box and an engine use it together.
  private struct Queue<Action: Sendable>: ~Copyable {
    let host: StateBox<Int, Action>
    let shape: MailShape
    var mail = MailQueue()

    init(_: Action.Type) {
      host = StateBox(0) { _, _ in }
      shape = host.shape
    }

    mutating func append(_ action: Action, enclosure: Enclosure? = nil) {
      let envelope = Envelope(site: CallSite(fileID: #fileID, line: #line), enclosure: enclosure)
      mail.append(envelope, shape).initializeMemory(as: Action.self, to: action)
    }

    var next: Action { mail.frontAction(shape).assumingMemoryBound(to: Action.self).pointee }

    mutating func removeNext() {
      host.drop(at: mail.frontAction(shape))
      mail.removeFront(shape)
    }

    deinit {
      var mail = mail
      mail.destroy(host, shape)
    }
  }

  @Test("first in, first out, however appending and removing take turns", arguments: 0..<20)
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = Queue(String.self)
    var model: [String] = []
    var number = 0
    for _ in 0..<2000 {
      switch Int.random(in: 0..<100, using: &random) {
      case ..<(number < 900 ? 60 : 45):
        queue.append("\(number)")
        model.append("\(number)")
        number += 1
      case _ where model.isEmpty:
        queue.mail.shrink()
      default:
        #expect(queue.next == model.removeFirst())
        queue.removeNext()
      }
      #expect(queue.mail.count == model.count)
    }
  }

  @Test("a removed action is released at once, and the rest when the queue ends")
  func releases() {
    final class Token: Sendable {}
    weak let first: Token?
    weak let last: Token?
    do {
      var queue = Queue(Token.self)
      var tokens: [Token] = (0..<3).map { _ in Token() }
      first = tokens[0]
      last = tokens[2]
      for token in tokens { queue.append(token) }
      tokens = []
      #expect(first != nil)
      queue.removeNext()
      #expect(first == nil)
      #expect(last != nil)
    }
    #expect(last == nil)
  }

  @Test("a burst goes through, and is taken again, whatever the size of an action")
  func burst() {
    goesThrough { $0 }
    goesThrough { UInt8(truncatingIfNeeded: $0) }
    goesThrough { SIMD16(repeating: $0) }  // aligned to more than a chunk by itself
    goesThrough { ["\($0)", "twice \($0)"] }
  }

  private func goesThrough<Action: Sendable & Equatable>(_ action: (Int) -> Action) {
    var queue = Queue(Action.self)
    for _ in 0..<2 {
      for number in 0..<3000 { queue.append(action(number)) }
      for number in 0..<3000 {
        #expect(queue.next == action(number))
        queue.removeNext()
      }
      #expect(queue.mail.isEmpty)
      queue.mail.shrink()
    }
  }

  @Test("plain envelopes are counted to the next that is not, and never past their chunk")
  func stretches() {
    var queue = Queue(Int.self)
    for number in 0..<5 { queue.append(number) }
    queue.append(5, enclosure: Enclosure(count: 1, scope: Scope(parent: nil)))
    #expect(queue.mail.plainCount(atMost: 3, queue.shape) == 3)
    #expect(queue.mail.plainCount(atMost: 100, queue.shape) == 5)
    queue.mail.removeFront(5, queue.shape)
    #expect(queue.mail.plainCount(atMost: 100, queue.shape) == 0)
    #expect(queue.mail.openFront().enclosure != nil)
    queue.removeNext()

    for number in 0..<1000 { queue.append(number) }
    var counted = 0
    while case let count = queue.mail.plainCount(atMost: 1000, queue.shape), count > 0 {
      #expect(queue.next == counted)
      queue.mail.removeFront(count, queue.shape)
      counted += count
    }
    #expect(counted == 1000)
    #expect(queue.mail.isEmpty)
  }

  @Test("an envelope that was opened no longer holds what it enclosed")
  func opening() {
    weak let enclosed: Scope?
    var queue = Queue(Int.self)
    do {
      let scope = Scope(parent: nil)
      enclosed = scope
      queue.append(1, enclosure: Enclosure(count: 1, scope: scope))
    }
    #expect(enclosed != nil)
    _ = queue.mail.openFront()
    #expect(enclosed == nil)
    queue.removeNext()
  }
}
