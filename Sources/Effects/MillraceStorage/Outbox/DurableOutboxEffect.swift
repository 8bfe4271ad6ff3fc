import Foundation
import Millrace
import MillraceEffects

/// The receiver's answer to an entry of a ``DurableOutbox``. `Answer` is what it says beside, such as an identifier that
/// it has given, or its own version of what an edit has changed; `Never` if it says nothing.
public enum Confirmation<Answer: Sendable>: Sendable {
  /// The receiver has the entry on its disk, or had it already. The entry leaves its lane.
  case received(Answer? = nil)
  /// The receiver has not applied the entry, and the reducer decides what becomes of it: a conflict. The entry keeps its
  /// place, and waits until it is replaced, put back, released or removed.
  case returned(Answer? = nil)
  /// The receiver will never take the entry. It leaves its lane, and is kept as rejected.
  case rejected(String)
}

/// Delivers the entries of a ``DurableOutbox`` to a receiver, each at least once, and those of one lane in order.
///
/// ```swift
/// let deliveries = DurableOutboxEffect<Order, Never> { entry in
///   try await warehouse.put(entry.payload, key: "\(entry.key)")
///   return .received()
/// }
/// store.connect(deliveries, to: \.shop.due, action: AppAction.outbox)
/// store.connect(JournalEffect(storage), to: \.shop.backlog, action: AppAction.journal)
/// ```
///
/// An entry is delivered only once it is on disk, so that a program that ends and begins again delivers it under the
/// same key, or not at all. `deliver` returns when the receiver has it: after its write to disk, not after its arrival.
///
/// If `deliver` throws, the run sends ``DurableOutboxEvent/failed(_:_:next:)``. The entry then waits as `backoff` says,
/// and its lane with it; other lanes go on. An entry that was returned and replaced again and again waits in the same
/// way from the second time on.
///
/// What it does not promise: that an entry is delivered once (the confirmation can be lost), or in any order between
/// lanes.
///
/// Made with `operated:`, the effect takes up what `millrace work` asks for beside the journal: when it is connected,
/// before anything is delivered, and then every second, by `clock`. While nobody asks for anything, that costs one look
/// at a name a second.
///
/// The waiting for a moment is a run of its own, and so are the looks. For a store that is to settle while entries wait,
/// or that is operated, connect the effect with `longRunning: true`.
public struct DurableOutboxEffect<Payload: Hashable & Sendable, Answer: Sendable>: EffectComponent {
  /// The entries that may be delivered.
  public typealias State = DueEntries<Payload>
  /// The events of the effect.
  public typealias Action = DurableOutboxEvent<Answer>
  /// Failures are sent as events.
  public typealias Failure = Never

  /// A request of a ``DueEntries``.
  public enum Request: Hashable, Sendable {
    /// Deliver the entry.
    case deliver(OutboxEntry<Payload>)
    /// Wait until the moment.
    case wait(until: Date)
    /// Remove the commands that are saved, and look for others again and again, until the moment.
    case look(TakenCommands, until: Date?)
  }

  private let limit: Int
  private let folder: FileQueue<CommandFolder>?
  private let backoff: Backoff
  private let wallClock: @Sendable () -> Date
  private let clock: any Clock<Duration>
  private let deliver: @Sendable (OutboxEntry<Payload>) async throws -> Confirmation<Answer>

  /// Makes an effect that calls `deliver` with each entry, in a task of its own.
  ///
  /// - Parameters:
  ///   - limit: how many lanes are served at once. Less than 1 counts as 1.
  ///   - backoff: the delay before each attempt after the first.
  ///   - journal: the path of the journal's file, beside which commands are looked for; `nil` to take up none.
  ///   - wallClock: returns the current date; replace it in a test.
  ///   - clock: the clock on which the effect waits; with a test clock, a test decides when the wall clock is checked.
  ///     It is checked at least once a minute.
  ///   - deliver: hands the entry over, and returns once the receiver has it. Cancelled when the entry leaves the
  ///     state, or when the effect is disconnected.
  public init(
    lanes limit: Int = 16, backoff: Backoff = Backoff(), operated journal: String? = nil,
    wallClock: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock(),
    deliver: @escaping @Sendable (OutboxEntry<Payload>) async throws -> Confirmation<Answer>
  ) {
    self.limit = max(1, limit)
    folder = journal.map { FileQueue(CommandFolder(of: $0)) }
    (self.backoff, self.wallClock, self.clock, self.deliver) = (backoff, wallClock, clock, deliver)
  }

  /// Returns the key of the entry; `nil` for the wait and the looks, of which there is one at a time.
  public func id(of request: Request) -> OutboxKey? {
    if case .deliver(let entry) = request { entry.key } else { nil }
  }

  /// Returns as many entries as are delivered at once, and the moment. O(1) in the number of entries.
  public func requests(in due: DueEntries<Payload>) -> Set<Request> {
    var requests = Set(due.entries.prefix(limit).map { Request.deliver($0) })
    if folder != nil, let commands = due.commands {
      if !commands.isKnown { requests = [] }
      requests.insert(.look(commands, until: due.moment))
    } else if let moment = due.moment {
      requests.insert(.wait(until: moment))
    }
    return requests
  }

  /// Delivers one entry, or waits.
  public func run(_ request: Request, send: Send<DurableOutboxEvent<Answer>>) async {
    switch request {
    case .deliver(let entry):
      func next(before attempt: Int) -> Date {
        wallClock().addingTimeInterval(
          backoff.delay(before: attempt, of: entry.key.epoch ^ entry.key.number) / .seconds(1))
      }
      let attempt = entry.status.attempts + 1
      do {
        switch try await deliver(entry) {
        case .received(let answer): await send(.confirmed(entry.key, answer))
        case .returned(let answer):
          await send(.returned(entry.key, answer, next: attempt == 1 ? nil : next(before: attempt)))
        case .rejected(let reason): await send(.rejected(entry.key, reason: reason))
        }
      } catch {
        await send(.failed(entry.key, "\(error)", next: next(before: attempt + 1)))
      }
    case .wait(let moment):
      var now = wallClock()
      while now < moment {
        let rest = Duration.seconds(min(moment.timeIntervalSince(now), 60))
        guard await clock.waits(max(rest, .milliseconds(1)), for: "entries that wait until \(moment)") else {
          return
        }
        now = wallClock()
      }
      await send(.reached(now))
    case .look(let commands, let moment): await look(commands, until: moment, send)
    }
  }

  private func look(
    _ taken: TakenCommands, until moment: Date?, _ send: Send<DurableOutboxEvent<Answer>>
  ) async {
    guard let folder else { return }
    await folder.perform { folder in folder.remove(taken.saved) }
    var known: [WorkCommand]? = taken.isKnown ? [] : nil
    while true {
      let found = await folder.perform { folder in folder.waiting().commands }
      if found != known {
        guard await send(.commanded(found)) == .reduced else { return }
        known = found
      }
      let now = wallClock()
      if let moment, now >= moment {
        await send(.reached(now))
        return
      }
      let rest = Duration.seconds(min(moment?.timeIntervalSince(now) ?? 1, 1))
      guard await clock.waits(max(rest, .milliseconds(1)), for: "commands beside the journal") else { return }
    }
  }
}

/// An event of a ``DurableOutboxEffect``. Pass it to `reduce(_:)` of the ``DurableOutbox``.
///
/// What the reducer makes of an answer is on disk in one step with what becomes of the entry:
///
/// ```swift
/// case .outbox(let event):
///   state.list.reduce(event)
///   switch event {
///   case .confirmed(_, let theirs?):
///     state.list[theirs.id] = theirs
///     state.show(theirs.id)
///   case .returned(let key, let theirs?, _): state.resolve(key, theirs)
///   case .rejected(let key, _): if let item = state.list.entry(key)?.lane { state.show(item) }
///   default: break
///   }
/// ```
public enum DurableOutboxEvent<Answer: Sendable>: Sendable {
  /// The receiver has the entry, and answers this.
  case confirmed(OutboxKey, Answer?)
  /// The receiver has not applied the entry, and answers this. Once the entry was replaced, it is delivered at `next`, or
  /// at once.
  case returned(OutboxKey, Answer?, next: Date?)
  /// The receiver will never take the entry.
  case rejected(OutboxKey, reason: String)
  /// An attempt to deliver the entry has failed, with this description of its error. The next one begins at `next`.
  case failed(OutboxKey, String, next: Date)
  /// The moment for which entries were waiting.
  case reached(Date)
  /// The commands from outside that are beside the journal, also those that were taken up before.
  case commanded([WorkCommand])
}

extension Confirmation: Equatable where Answer: Equatable {}
extension Confirmation: Hashable where Answer: Hashable {}
extension DurableOutboxEvent: Equatable where Answer: Equatable {}
extension DurableOutboxEvent: Hashable where Answer: Hashable {}
extension DurableOutboxEvent: Encodable where Answer: Encodable {}
extension DurableOutboxEvent: Decodable where Answer: Decodable {}
