extension TestClock {
  /// A task that sleeps on a ``TestClock``.
  public struct Sleeper: Sendable, Hashable, CustomStringConvertible {
    /// The instant at which the task wakes.
    public let deadline: TestInstant

    /// The tolerance given to `sleep`: how much later the task may wake. A test clock wakes it at the deadline.
    public let tolerance: Duration?

    /// The name of the task, if it has one and the system keeps names (Linux, and Apple systems since the releases of
    /// 2025).
    public let name: String?

    /// The task's name and its deadline, as in `poll until 2.5 seconds`.
    public var description: String {
      let allowance = tolerance.map { " (tolerance \($0))" } ?? ""
      return "\(name ?? "a task") until \(deadline)\(allowance)"
    }
  }
}

extension TestClock.Sleeper {
  static var currentTaskName: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { Task.name } else { nil }
  }
}
