/// A request for a change from outside the program that keeps the work, for instance by `millrace work`.
///
/// Each command is a file of its own in the folder `.commands` beside the kept file. The program removes it when its
/// result is on disk.
public struct WorkCommand: Codable, Hashable, Sendable {
  /// The change to make.
  @nonexhaustive public enum Change: Codable, Hashable, Sendable {
    /// Deliver an entry of an outbox now. A waiting entry is released, and a rejected one is moved to the end of its
    /// lane under a new key.
    case retry(String)
    /// Remove an entry of an outbox, or make a ledger forget work that has begun and not ended. If an attempt is given,
    /// a ledger forgets only that one. Forgotten work begins anew if the state still asks for it.
    case dismiss(String, attempt: Int? = nil)
    /// Pause a lane of an outbox.
    case pause(lane: String)
    /// Resume a paused lane.
    case resume(lane: String)
  }

  /// The name of the file. No two commands have the same one.
  public let name: String
  /// The change to make.
  public let change: Change

  /// Makes a command, for tests.
  public init(name: String, change: Change) { (self.name, self.change) = (name, change) }
}

extension WorkCommand.Change: CustomStringConvertible {
  /// A description of the change.
  public var description: String {
    switch self {
    case .retry(let key): "retry \(key)"
    case .dismiss(let key, _): "dismiss \(key)"
    case .pause(let lane): "pause lane \(lane.debugDescription)"
    case .resume(let lane): "resume lane \(lane.debugDescription)"
    }
  }
}
