import Millrace
import MillraceEffects

/// The receiver's answer to an entry of a ``DurableOutbox``.
public enum Confirmation: Hashable, Sendable {
  /// The receiver has the entry on its disk, or had it already.
  case received
  /// The receiver will never take the entry. It leaves its lane, and is kept as rejected.
  case rejected(String)
}

/// Delivers the entries of a ``DurableOutbox`` to a receiver, each at least once, and those of one lane in order.
///
/// ```swift
/// let deliveries = DurableOutboxEffect(\Shop.outbox) { entry in
///   try await warehouse.put(entry.payload, key: "\(entry.key)")
///   return .received
/// }
/// store.connect(deliveries, to: \.shop, action: AppAction.outbox)
/// store.connect(StorageEffect(storage), to: \.shop, action: AppAction.storage)
/// ```
///
/// The outbox is a part of a value that is saved. An entry is delivered only once it is on disk, so that a program
/// that ends and begins again delivers it under the same key, or not at all. `deliver` returns when the receiver has
/// it: after its write to disk, not after its arrival. If `deliver` throws, the run sends
/// ``DurableOutboxEvent/failed(_:_:)``, waits as `backoff` says, and tries again, until the entry leaves the state.
///
/// What it does not promise: that an entry is delivered once (the confirmation can be lost), or in any order between
/// lanes.
public struct DurableOutboxEffect<Value: Equatable & Sendable, Payload: Hashable & Sendable>:
  EffectComponent
{
  /// The value of which the outbox is a part, with what is known of its saves.
  public typealias State = Saving<Value>
  /// The events of the effect.
  public typealias Action = DurableOutboxEvent
  /// An entry to be delivered.
  public typealias Request = DurableOutbox<Payload>.Entry
  /// Failures are sent as events, since the run goes on after them.
  public typealias Failure = Never

  private let outbox: any KeyPath<Value, DurableOutbox<Payload>> & Sendable
  private let limit: Int
  private let backoff: Backoff
  private let clock: any Clock<Duration>
  private let deliver: @Sendable (Request) async throws -> Confirmation

  /// Makes an effect that calls `deliver` with each entry, in a task of its own.
  ///
  /// - Parameters:
  ///   - outbox: the outbox in the saved value.
  ///   - limit: how many lanes are served at once. Less than 1 counts as 1.
  ///   - backoff: the delay before each attempt after the first.
  ///   - clock: the clock of the delays.
  ///   - deliver: hands the entry over, and returns once the receiver has it. Cancelled when the entry leaves the
  ///     state, or when the effect is disconnected.
  public init(
    _ outbox: any KeyPath<Value, DurableOutbox<Payload>> & Sendable, lanes limit: Int = 16,
    backoff: Backoff = Backoff(), clock: any Clock<Duration> = ContinuousClock(),
    deliver: @escaping @Sendable (Request) async throws -> Confirmation
  ) {
    self.outbox = outbox
    self.limit = max(1, limit)
    self.backoff = backoff
    self.clock = clock
    self.deliver = deliver
  }

  /// Returns the key of the entry.
  public func id(of entry: Request) -> OutboxKey { entry.key }

  /// Returns the oldest entry of each lane, if it is on disk. O(n) in the number of entries.
  public func requests(in saving: Saving<Value>) -> Set<Request> {
    guard let stored = saving.stored else { return [] }
    let due = saving.value[keyPath: outbox].due(limit: limit)
    if due.isEmpty || saving.isStored { return Set(due) }
    // Not what the outbox on disk has due: the entry before may be gone from the current one alone.
    let onDisk = Set(stored[keyPath: outbox].entries.lazy.map(\.key))
    return Set(due.filter { onDisk.contains($0.key) })
  }

  /// Delivers one entry.
  public func run(_ entry: Request, send: Send<DurableOutboxEvent>) async {
    for attempt in 1... {
      let wait = backoff.delay(before: attempt, of: entry.key)
      guard await clock.waits(wait, for: "attempt \(attempt) in \(wait.text)") else { return }
      do {
        switch try await deliver(entry) {
        case .received: await send(.confirmed(entry.key))
        case .rejected(let reason): await send(.rejected(entry.key, reason: reason))
        }
        return
      } catch {
        guard await send(.failed(entry.key, "\(error)")) == .reduced else { return }
      }
    }
  }
}
