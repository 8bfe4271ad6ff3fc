import Foundation
import Millrace
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct OnceEffectTests {
  struct Job: Hashable, Codable, Sendable {
    var name: String
    var attempt = 1
  }

  struct Refused: Error {}

  enum Action: Hashable, Sendable {
    case progress(Job)
    case done(Job)
    case failed(Job)
    case once(OnceEvent<Job>)
    case ledger(LedgerEvent<Job>)
    case ask(Job)
    case drop(Job)
    case giveUp(String)
  }

  struct State: Equatable, Sendable {
    var jobs: Set<Job> = []
    var interruptions = Interruptions<Job>()
  }

  struct JobEffect: EffectComponent {
    let begun = Recorder<Job>()
    let gate = Gate()
    var tellsProgress = false

    func requests(in jobs: Set<Job>) -> Set<Job> { jobs }

    func run(_ job: Job, send: Send<Action>) async throws(Refused) {
      begun.append(job)
      if tellsProgress { await send(.progress(job)) }
      do { try await gate.wait() } catch { return }
      if job.name == "refused" { throw Refused() }
      await send(.done(job))
    }

    func action(for failure: Refused, of job: Job) -> Action { .failed(job) }
  }

  private let folder: TemporaryFolder
  private let seen = Recorder<Action>()
  private let effect = JobEffect()
  init() throws { folder = try TemporaryFolder() }

  private func ledger(on disk: ScriptedDisk = ScriptedDisk { _ in }) -> Ledger<Job> {
    .on(disk, at: folder.file("ledger"))
  }

  /// A life of the program.
  private func store(
    _ ledger: Ledger<Job>, effect: JobEffect? = nil, jobs: Set<Job> = []
  ) -> Store<State, Action> {
    let store = Store(initialState: State(jobs: jobs), on: .immediate) {
      [seen] (state: inout State, action: Action) in
      seen.append(action)
      switch action {
      case .progress, .once: break
      case .done(let job), .failed(let job), .drop(let job): state.jobs.remove(job)
      case .ledger(let event): state.interruptions.reduce(event)
      case .ask(let job): state.jobs.insert(job)
      case .giveUp(let key): state.interruptions.giveUp(LedgerKey(key))
      }
    }
    let once = (effect ?? self.effect).once(
      in: ledger, key: \.name, attempt: \.attempt,
      isFinal: { action in if case .progress = action { false } else { true } }, event: Action.once)
    store.connect(once, to: \.jobs)
    store.connect(LedgerEffect(ledger), to: \.interruptions, action: Action.ledger)
    return store
  }

  private func interrupted() async throws -> [String] { try await ledger().interruptedKeys() }

  @Test("work is on the medium as begun before its run begins, and as ended after")
  func writtenDown() async throws {
    let first = ledger()
    let store = store(first)
    store.dispatch(.ask(Job(name: "a")))
    try await effect.begun.values(atLeast: 1)
    await first.close()
    #expect(try await interrupted() == ["a"])
    effect.gate.open()
    await store.settled()
    await first.close()
    #expect(try await interrupted().isEmpty)
    #expect(seen.values.contains(.done(Job(name: "a"))))
  }

  @Test("after a crash the reducer is told, and what it does not ask for as a later attempt does not begin")
  func crashed() async throws {
    let (a, b, c) = (Job(name: "a"), Job(name: "b"), Job(name: "c"))
    let first = ledger()
    let crashing = store(first)
    for job in [a, b, c] { crashing.dispatch(.ask(job)) }
    try await effect.begun.values(atLeast: 3)
    await first.close()  // as the end of a process would

    // The state was stored with `a` in it.
    let next = JobEffect()
    next.gate.open()
    let store = store(ledger(), effect: next, jobs: [a])
    await store.settled()
    #expect(next.begun.values.isEmpty)
    #expect(seen.values.contains(.once(.interrupted(a, key: "a"))))
    #expect(store.state.interruptions.undecided == ["a": a, "b": b, "c": c])
    #expect(store.state.interruptions.isKnown)

    let again = Job(name: "a", attempt: 2)
    store.dispatch(.ask(again))
    store.dispatch(.giveUp("b"))
    await store.settled()
    #expect(next.begun.values == [again])
    await store.shutdown()
    await crashing.shutdown()
  }

  @Test("what was given up is not told any more, and what nobody decided about is told again")
  func givenUp() async throws {
    let first = ledger()
    let crashing = store(first)
    for name in ["a", "b"] { crashing.dispatch(.ask(Job(name: name))) }
    try await effect.begun.values(atLeast: 2)
    await first.close()

    let second = ledger()
    let store = store(second, effect: JobEffect())
    await store.settled()
    store.dispatch(.giveUp("a"))
    await store.settled()
    #expect(seen.values.contains(.ledger(.forgotten(key: "a"))))
    await second.close()
    #expect(try await interrupted() == ["b"])
    await crashing.shutdown()
  }

  @Test("work that had ended does not begin again for a state that was stored before")
  func ended() async throws {
    let job = Job(name: "a")
    effect.gate.open()
    let first = ledger()
    let earlier = store(first, jobs: [job])
    await earlier.settled()
    await first.close()
    let store = store(ledger(), jobs: [job])
    await store.settled()
    #expect(effect.begun.values == [job])
    #expect(seen.values.contains(.once(.ended(job, key: "a"))))
    #expect(store.state.interruptions.undecided.isEmpty)
  }

  @Test("work that throws has ended: its failure is in the state")
  func failed() async throws {
    let job = Job(name: "refused")
    effect.gate.open()
    let first = ledger()
    let store = store(first, jobs: [job])
    await store.settled()
    #expect(seen.values.contains(.failed(job)))
    await first.close()
    #expect(try await interrupted().isEmpty)
  }

  @Test("work that is stopped before its result is reduced has not ended", arguments: [false, true])
  func stopped(tellsProgress: Bool) async throws {
    let job = Job(name: "a")
    let first = ledger()
    var effect = effect
    effect.tellsProgress = tellsProgress
    let store = store(first, effect: effect, jobs: [job])
    try await effect.gate.waiters(atLeast: 1)
    store.dispatch(.drop(job))
    await store.settled()
    store.dispatch(.ask(job))
    await store.settled()
    #expect(effect.begun.values.count == 1)
    #expect(seen.values.contains(.once(.interrupted(job, key: "a"))))
    await first.close()
    #expect(try await interrupted() == ["a"])
  }

  @Test("work that is stopped while it is written down does not begin, and counts as not begun")
  func stoppedEarly() async throws {
    let (writing, goOn) = (Recorder<Bool>(), Signal())
    let disk = ScriptedDisk { step in
      guard step == .append else { return }
      writing.append(true)
      goOn.wait()
    }
    let job = Job(name: "a")
    let first = ledger(on: disk)
    let store = store(first, jobs: [job])
    try await writing.values(atLeast: 1)
    // Once it is sent, the run is stopped, also if another thread makes this turn.
    await store.send(.drop(job))
    for _ in 1...2 { goOn.give() }
    await store.settled()
    #expect(effect.begun.values.isEmpty)
    await first.close()
    #expect(try await interrupted().isEmpty)
  }

  @Test("what cannot be written down does not begin")
  func notBegun() async throws {
    let disk = ScriptedDisk { step throws(StorageFailure) in
      if step == .append { throw .diskFull("here") }
    }
    let job = Job(name: "a")
    effect.gate.open()
    let store = store(ledger(on: disk), jobs: [job])
    await store.settled()
    #expect(effect.begun.values.isEmpty)
    #expect(seen.values.contains(.once(.notBegun(.diskFull("here"), job))))
  }

  @Test(
    "an end that cannot be written is told, if the run is still heard, and the work counts as interrupted")
  func endNotWritten() async throws {
    let appends = Lock(0)
    let disk = ScriptedDisk { step throws(StorageFailure) in
      guard step == .append else { return }
      let count = appends.withLock { count in
        count += 1
        return count
      }
      if count == 2 { throw .diskFull("here") }
    }
    let sent = Recorder<Action>()
    let first = ledger(on: disk)
    let once = effect.once(in: first, key: \.name, attempt: \.attempt, event: Action.once)
    effect.gate.open()
    let job = Job(name: "a")
    try await once.run(job, send: .recording(into: sent))
    #expect(sent.values == [.done(job), .once(.endNotWritten(.diskFull("here"), job))])
    await first.close()
    #expect(try await interrupted() == ["a"])
  }

  @Test("a result that the state did not take in is no end", arguments: [Delivery.fenced, .refused])
  func notTakenIn(delivery: Delivery) async throws {
    let first = ledger()
    let once = effect.once(in: first, key: \.name, attempt: \.attempt, event: Action.once)
    effect.gate.open()
    try await once.run(Job(name: "a"), send: .recording(into: Recorder(), answering: delivery))
    await first.close()
    #expect(try await interrupted() == ["a"])
  }

  @Test("a ledger that another has is told, by the work and by those who ask what was interrupted")
  func locked() async throws {
    let other = ledger()
    _ = try await other.interruptedKeys()
    let job = Job(name: "a")
    let store = store(ledger(), jobs: [job])
    await store.settled()
    let failure = StorageFailure.locked(folder.file("ledger.lock"))
    #expect(seen.values.contains(.once(.notBegun(failure, job))))
    #expect(store.state.interruptions.failure == failure)
    #expect(effect.begun.values.isEmpty)
    await other.close()
  }
}
