import Foundation
import Millrace
import MillraceTrace

/// A feature whose runs begin, are handed over, answer, fail and are stopped all the time, for a program that is killed.
struct Desk: Codable, Hashable, Sendable {
  var wanted: Set<Int> = []
  var isOpen = false
  var done = 0

  /// The desk while it is open.
  var whileOpen: Desk? { isOpen ? self : nil }

  enum Action: Codable, Hashable, Sendable {
    case wanted(Set<Int>)
    case opened(Bool)
    case done(Int)
  }

  @Sendable static func reduce(_ desk: inout Desk, _ action: Action) {
    switch action {
    case .wanted(let numbers): desk.wanted = numbers
    case .opened(let isOpen): desk.isOpen = isOpen
    case .done(let number):
      desk.wanted.remove(number)
      desk.done += 1
    }
  }

  /// Answers at once, fails, or waits to be stopped.
  struct WorkEffect: EffectComponent {
    struct Refused: Error {}

    func requests(in desk: Desk) -> Set<Int> { desk.wanted }
    func run(_ number: Int, send: Send<Action>) async throws(Refused) {
      switch number % 4 {
      case 0: try? await Task.sleep(for: .seconds(60))
      case 1: throw Refused()
      default: await send(.done(number))
      }
    }
    func action(for failure: Refused, of number: Int) -> Action { .done(number) }
  }

  static func connect(_ store: Store<Desk, Action>) {
    let unchanged: @Sendable (Action) -> Action = { $0 }
    let always: @Sendable (Desk) -> Int? = { _ in 1 }
    let most: @Sendable (Desk) -> Int? = { $0.wanted.max() }
    let wait: @Sendable (Int, Send<Action>) async -> Void = { _, _ in try? await Task.sleep(for: .seconds(60))
    }
    store.connect(WorkEffect(), named: "work")
    store.connect(when: most, named: "most", longRunning: true, run: wait)
    store.connectIfPresent(\.whileOpen, action: unchanged, named: "open") { store in
      store.connect(when: always, named: "always within", longRunning: true, run: wait)
      store.connect(when: most, named: "most within", longRunning: true, run: wait)
    }
  }

  /// Where a program keeps its recording, and with how much memory.
  enum Kind: String, CaseIterable {
    case desk
    case deskRing
    case deskRotated
    case deskWithGaps

    func destination(_ path: String) -> TraceDestination {
      switch self {
      case .deskRing: .ring(path, bytes: 64 << 10)
      case .deskRotated: .file(path, rotatingAt: 20_000)
      case .desk, .deskWithGaps: .file(path)
      }
    }
  }

  /// Works until it is killed, and tells that it is recorded, and each round.
  static func work(_ kind: Kind, _ path: String) async throws {
    let store = Store(initialState: Desk(), reduce: reduce)
    let recording = try store.record(
      to: kind.destination(path), snapshotEvery: 20, memory: kind == .deskWithGaps ? 4_000 : 4 << 20)
    func tell(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
    tell("recorded")
    connect(store)
    for round in 1... {
      for _ in 0..<Int.random(in: 1...20) {
        let actions = (0..<Int.random(in: 1...3)).map { _ in
          Int.random(in: 0..<4) == 0
            ? Action.opened(.random()) : .wanted(Set((1...9).filter { _ in .random() }))
        }
        for action in actions { store.dispatch(action) }
      }
      await store.send(.opened(.random()))
      // Now and then, so that a long recording has much, whenever its queue comes to write.
      if round.isMultiple(of: 10) { try await recording.flush() }
      tell("\(round)")
    }
  }
}
