import Millrace
import MillraceExplorer
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import MillraceTrace

extension Explorer where State: Equatable, Action: Codable {
  /// Records a store of the feature through a long session, in which the user and the requests do at random what this
  /// explorer lists. Nothing is checked meanwhile: the session goes on past a violation, as a program does.
  package func recordedSession(seed: UInt64, moves: Int = 400) async throws -> TraceMemory {
    let memory = TraceMemory()
    let recording = Lock<Result<TraceRecording, TraceFailure>?>(nil)
    let store = TestStore(initialState: initialState, reduce: reduce) { [connect] store in
      let begun = Result { () throws(TraceFailure) in try store.record(to: .memory(memory)) }
      recording.withLock { $0 = begun }
      connect(store)
    }
    store.exhaustivity = .none
    for move in randomWay(seed: seed, moves: moves) {
      store.play([move])
      // The recorder's thread may have made the turn, and begins and stops its runs after it.
      await store.settle()
    }
    try await recording.withLock { $0 }?.get().finish()
    await store.finish()
    return memory
  }

  /// Shrinks the recording of a long random session.
  package func shrunkSession(
    seed: UInt64, moves: Int = 400
  ) async throws -> ShrunkRecording<State, Action> {
    let memory = try await recordedSession(seed: seed, moves: moves)
    return try shrink(Replay(of: memory, from: initialState, reduce: reduce))
  }
}
