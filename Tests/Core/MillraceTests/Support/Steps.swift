import Millrace
import MillraceTesting

/// Steps that many tests take.
extension Store {
  /// Dispatches an action, and returns when all has settled that comes of it.
  func settled(after action: Action, isolation: isolated (any Actor)? = #isolation) async {
    dispatch(action)
    await settled()
  }

  /// Opens the gate, and returns when all has settled that waited there.
  func settled(opening gate: Gate, isolation: isolated (any Actor)? = #isolation) async {
    gate.open()
    await settled()
  }

  /// Lets the reducer go, and returns when all has settled that waited for it.
  func settled(lettingGo hold: Hold, isolation: isolated (any Actor)? = #isolation) async {
    hold.letGo()
    await settled()
  }

  /// Dispatches an action, and returns when so many tasks wait at the gate.
  func dispatch(
    _ action: Action, reaching gate: Gate, by count: Int = 1, isolation: isolated (any Actor)? = #isolation
  ) async throws {
    dispatch(action)
    try await gate.waiters(atLeast: count)
  }
}
