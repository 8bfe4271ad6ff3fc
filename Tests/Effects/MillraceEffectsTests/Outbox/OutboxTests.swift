import Millrace
import MillraceEffects
import MillraceTesting
import Testing

private struct ServeError: Error {}

private struct Letters: Equatable, Sendable {
  var outbox = Outbox<String>()
}

private enum LetterAction: Sendable {
  case write(String)
  case outbox(Outbox<String>.Action)
  case retry(Outbox<String>.ID)
  case discard(Outbox<String>.ID)
}

@Sendable private func reduce(_ state: inout Letters, _ action: LetterAction) {
  switch action {
  case .write(let letter): state.outbox.append(letter)
  case .outbox(let action): state.outbox.reduce(action)
  case .retry(let id): state.outbox.retry(id)
  case .discard(let id): state.outbox.discard(id)
  }
}

/// Records what was served, and fails what it was told to.
private actor Postman {
  var served: [String] = []
  var failing: Set<String> = []
  func fail(_ letter: String) { failing.insert(letter) }
  func mend() { failing = [] }
  func serve(_ letter: String) throws {
    if failing.contains(letter) { throw ServeError() }
    served.append(letter)
  }
}

@Suite("Outbox")
struct OutboxTests {
  private let store = Store(initialState: Letters(), on: .immediate, reduce: reduce)
  private let postman = Postman()

  private func connect(_ order: OutboxEffect<String>.Order = .inOrder) -> Connection {
    store.connect(
      OutboxEffect(order) { [postman] in try await postman.serve($0) }, to: \.outbox,
      action: LetterAction.outbox)
  }

  @Test("equal elements are served once each, in order") func equalElements() async {
    for letter in ["a", "a", "b", "a"] { store.dispatch(.write(letter)) }
    _ = connect()
    await store.settled()
    #expect(await postman.served == ["a", "a", "b", "a"])
    #expect(store.state.outbox.entries.isEmpty)
  }

  @Test("what failed stays visible, lets the next go on, and is served again only when retried")
  func failure() async {
    await postman.fail("bad")
    for letter in ["bad", "good"] { store.dispatch(.write(letter)) }
    _ = connect()
    await store.settled()
    #expect(await postman.served == ["good"])
    let failed = store.state.outbox.failed
    #expect(failed.map(\.element) == ["bad"])
    #expect(failed.first?.status == .failed(.thrown("ServeError()")))
    await postman.mend()
    store.dispatch(.retry(failed[0].id))
    await store.settled()
    #expect(await postman.served == ["good", "bad"])
    #expect(store.state.outbox.entries.isEmpty)
  }

  @Test("an entry whose serving was cut off fails as interrupted and is not begun again")
  func interruption() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: String.self)
    store.dispatch(.write("letter"))
    let first = store.connect(
      OutboxEffect<String> { letter in
        begin.yield(letter)
        try await Gate().wait()  // until it is cancelled
      }, to: \.outbox, action: LetterAction.outbox)
    var beginnings = begun.makeAsyncIterator()
    #expect(await beginnings.next() == "letter")
    first.disconnect()
    await first.finished()
    _ = connect()
    await store.settled()
    #expect(await postman.served == [])
    #expect(store.state.outbox.entries.map(\.status) == [.failed(.interrupted)])
  }

  @Test("side by side serves up to its limit at once") func sideBySide() async {
    for letter in ["a", "b", "c"] { store.dispatch(.write(letter)) }
    let (begun, begin) = AsyncStream.makeStream(of: String.self)
    let connection = store.connect(
      OutboxEffect<String>(.sideBySide(limit: 2)) { letter in
        begin.yield(letter)
        try await Gate().wait()  // until it is cancelled
      }, to: \.outbox, action: LetterAction.outbox)
    var beginnings = begun.makeAsyncIterator()
    let two = await [beginnings.next(), beginnings.next()]
    #expect(Set(two) == ["a", "b"])
    let begunStates = store.state.outbox.entries.map(\.status)
    #expect(begunStates.last == .waiting)
    // Discarding one stops it and lets the third begin.
    store.dispatch(.discard(store.state.outbox.entries[0].id))
    #expect(await beginnings.next() == "c")
    connection.disconnect()
    await connection.finished()
  }

  @Test("E8: an outbox takes a claim from the run that holds the entry and from no other")
  func claims() async throws {
    var outbox = Outbox<String>()
    let id = outbox.append("letter")
    outbox.reduce(.began(id, claim: 1))
    outbox.reduce(.began(id, claim: 2))
    #expect(outbox.entries.map(\.status) == [.begun(claim: 1)])

    // A run whose claim was not the one that the state has taken does not serve.
    let served = Recorder<String>()
    let effect = OutboxEffect<String> { served.append($0) }
    var waiting = Outbox<String>()
    waiting.append("letter")
    var taken = waiting
    taken.reduce(.began(taken.entries[0].id, claim: 1))
    let first = try #require(effect.requests(in: waiting).first)
    let other = try #require(effect.requests(in: taken).first)
    let updates = RequestUpdates(first)
    let sent = Recorder<Outbox<String>.Action>()
    let run = Task { await effect.run(following: updates, send: .recording(into: sent)) }
    try await sent.values(atLeast: 1)
    updates.offer(other)
    await run.value
    #expect(served.values == [])
    #expect(sent.count == 1)
  }
}
