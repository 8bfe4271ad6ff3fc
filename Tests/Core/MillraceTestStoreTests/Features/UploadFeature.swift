import Millrace
import MillraceTestStore
import Testing

/// An upload that shows its progress, can be paused, and goes on from where it was.
private enum Upload {
  struct CutOff: Error, Equatable {}

  enum Phase: Equatable, Sendable { case idle, running, paused, failed, done }

  struct State: Equatable, Sendable {
    let size: Int
    var phase = Phase.idle
    var sent = 0
    /// Where the present part has begun.
    var offset = 0
    var attempt = 0
  }

  enum Action: Equatable, Sendable {
    case started
    case paused
    case progressed(Int)
    case finished
    case failed
  }

  /// What is left from an offset on. It stays the same while the part is under way.
  struct Part: Hashable { var offset = 0, attempt = 1 }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .started:
      state.phase = .running
      state.offset = state.sent
      state.attempt += 1
    case .paused: state.phase = .paused
    case .progressed(let bytes): state.sent += bytes
    case .finished: state.phase = .done
    case .failed: state.phase = .failed
    }
  }

  struct Effect: EffectComponent {
    let upload: @Sendable (_ offset: Int) -> AsyncThrowingStream<Int, any Error>
    func requests(in state: State) -> Set<Part> {
      state.phase == .running ? [Part(offset: state.offset, attempt: state.attempt)] : []
    }
    func run(_ part: Part, send: Send<Action>) async throws {
      for try await bytes in upload(part.offset) { await send(.progressed(bytes)) }
      await send(.finished)
    }
    func action(for failure: any Error, of part: Part) -> Action { .failed }
  }
}

extension FeatureTests {
  @Test("an upload that was paused or cut off goes on from where it was") func upload() async {
    let effect = Upload.Effect(
      upload: unimplemented("upload", placeholder: AsyncThrowingStream { $0.finish() }))
    let store = TestStore(initialState: .init(size: 9), reduce: Upload.reduce) { $0.connect(effect) }
    store.send(.started) { ($0.phase, $0.attempt) = (.running, 1) }
    store.send(.progressed(2), .progressed(3), from: Upload.Part()) { $0.sent = 5 }
    store.send(.paused) { $0.phase = .paused }
    store.send(.started) { ($0.phase, $0.offset, $0.attempt) = (.running, 5, 2) }
    let rest = Upload.Part(offset: 5, attempt: 2)
    store.send(.progressed(1), from: rest) { $0.sent = 6 }
    store.fail(rest, with: Upload.CutOff()) { $0.phase = .failed }
    store.send(.started) { ($0.phase, $0.offset, $0.attempt) = (.running, 6, 3) }
    store.answer(Upload.Part(offset: 6, attempt: 3), with: .progressed(3), .finished) {
      ($0.phase, $0.sent) = (.done, 9)
    }
    await store.finish()
  }
}
