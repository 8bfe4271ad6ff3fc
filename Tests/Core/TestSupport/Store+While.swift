import Millrace

extension Store where State: Equatable {
  /// Connects what a condition of the state holds: an optional slice, which is the state while the condition is true.
  @discardableResult
  package func connect(
    while condition: @escaping @Sendable (State) -> Bool, named name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) -> Connection {
    connectIfPresent(
      computed: { condition($0) ? $0 : nil }, action: { $0 }, named: name, fileID: fileID, line: line,
      connect)
  }
}
