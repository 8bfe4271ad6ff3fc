/// Work that `settled()` waits for, unless it is asked from within that very work.
protocol CountedWork: AnyObject, Sendable {
  var scope: Scope { get }
  /// Whether it counts as busy in its scope. Guarded by the engine's turn lock.
  var isCounted: Bool { get }
}

/// The run or the update in which the current task executes.
enum CurrentWork {
  @TaskLocal static var mark: (any WorkMark)?

  static var work: (any CountedWork)? { mark?.work }
}

/// What a task inherits of the work in which it was made.
protocol WorkMark: Sendable {
  var work: (any CountedWork)? { get }
}

/// The mark of one update, or of several that one server makes in a row as long as nobody else has it: binding a mark
/// for each would cost more than a quick update.
final class UpdateMark: WorkMark {
  private let server: ComponentServer

  init(_ server: ComponentServer) { self.server = server }

  /// The update in progress, if it is one of this mark.
  var work: (any CountedWork)? { server.component(under: self) }

  /// How many references there are to it. A task that was made without structure in an update inherits one, and may
  /// still have it when another component is updated; then this number is another than before.
  var holderCount: UInt { _getRetainCount(self) }
}
