/// Calls `body`, in which the current run or update waits, with the reason for the wait.
///
/// ```swift
/// func take() async -> Socket {
///   await withWaitReason("a connection of \(pool.count)", queued: true) { await pool.next() }
/// }
/// ```
///
/// ``Store/activity`` shows the reason with the run, and so does the report of a long wait. A run may wait for several
/// things at once, one for each of its tasks. If one wait contains another, both reasons are shown. Every wait of the
/// library inside a run uses this function.
///
/// Callable from anywhere; outside of a run or an update it only calls `body`. Costs a small part of the suspension of
/// a task. The text is made only when it is read.
///
/// - Parameters:
///   - reason: the thing that is waited for, as in "waits for a slot of 8". Called on the thread that reads it.
///   - isQueued: whether the wait ends only when other work advances, as the wait in a queue does. A test store counts
///     it as waiting for the test while a run waits for the test.
/// - Throws: what `body` throws.
public nonisolated(nonsending) func withWaitReason<Result, Failure: Error>(
  _ reason: @autoclosure @escaping @Sendable () -> String, queued isQueued: Bool = false,
  _ body: () async throws(Failure) -> Result
) async throws(Failure) -> Result {
  guard let wait = Wait(isQueued ? .byOthers : .byItself, for: reason()) else { return try await body() }
  wait.begin()
  defer { wait.end() }
  let result = await Wait.$current.withValue(wait) { () async -> Swift.Result<Result, Failure> in
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
  return try result.get()
}

/// One wait of a task inside a run or an update, with its reason. The store records it from `begin()` to `end()`. Both
/// are callable from anywhere, with no lock held except the turn lock.
package final class Wait: @unchecked Sendable {  // `isOver` is guarded by the mailbox lock
  /// The cause that ends a wait.
  package enum End {
    /// Something outside the program, such as time or a network.
    case byItself
    /// Other work that advances, such as a run that releases a slot.
    case byOthers
    /// A test: it advances a clock, opens a gate, gives an answer.
    case byTest
  }

  /// The wait that contains the current task.
  @TaskLocal static var current: Wait?

  let work: CurrentWork
  let endsBy: End
  /// The wait that contains this one and is the reason for it.
  let outer: Wait?
  private let reason: @Sendable () -> String
  private var isOver = false

  init(
    _ work: CurrentWork, _ end: End, within outer: Wait? = nil, for reason: @escaping @Sendable () -> String
  ) {
    self.work = work
    endsBy = end
    self.outer = outer
    self.reason = reason
  }

  /// A wait of the current task; `nil` outside of runs and updates.
  package convenience init?(_ end: End, for reason: @autoclosure @escaping @Sendable () -> String) {
    guard let work = CurrentWork.mark else { return nil }
    self.init(work, end, within: Self.current, for: reason)
  }

  /// Records that the task waits from now on.
  package func begin() {
    let engine = work.engine
    engine.mail.withLock { if !isOver { $0.waits[ObjectIdentifier(self)] = self } }
    tell(isOver: false)
    // This may have been the last work that did not wait for the test.
    if engine.counter != nil { engine.locked {} }
  }

  /// Records that the task is about to be resumed, even if it has not begun to wait. Call it before the task is
  /// resumed: otherwise a store that settles in between would not wait for the task.
  package func end() {
    tell(isOver: true)
    work.engine.mail.withLock {
      isOver = true
      $0.waits[ObjectIdentifier(self)] = nil
    }
  }

  /// Returns the reason, together with that of a contained wait.
  ///
  /// - Parameter inner: the reason of the contained wait.
  func text(around inner: String?) -> String { reason() + (inner.map { " (\($0))" } ?? "") }
}

extension [Wait] {
  /// The waits that contain no other.
  var innermost: [Wait] {
    let outer = Set(compactMap { $0.outer.map { ObjectIdentifier($0) } })
    return outer.isEmpty ? self : filter { !outer.contains(ObjectIdentifier($0)) }
  }

  /// Descriptions of the reasons, in alphabetical order. Calls the user's code.
  var texts: [String] {
    innermost.map { wait in
      var text = wait.text(around: nil)
      var outer = wait.outer
      while let next = outer {
        text = next.text(around: text)
        outer = next.outer
      }
      return text
    }
    .sorted()
  }
}
