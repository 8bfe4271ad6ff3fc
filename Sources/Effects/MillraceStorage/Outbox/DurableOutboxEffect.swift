import Foundation
import Millrace
import MillraceEffects

/// The receiver's answer to an entry of a ``DurableOutbox``. `Answer` is what it returns with it, such as an identifier
/// that it has assigned, or its own version of an edited thing; `Never` if it returns nothing.
public enum Confirmation<Answer: Sendable>: Sendable {
  /// The receiver has stored the entry, now or before. The entry leaves its lane.
  case received(Answer? = nil)
  /// The receiver has not applied the entry, for instance because of a conflict. The entry keeps its place, and waits
  /// until the reducer replaces it, puts it back, releases it or removes it.
  case returned(Answer? = nil)
  /// The receiver will never accept the entry. It leaves its lane, and is kept as rejected.
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
/// An entry is delivered only when it is on disk, so that a restarted program delivers it under the same key or not at
/// all. `deliver` returns when the receiver has the entry: after the receiver's write to disk, not after its arrival.
///
/// If `deliver` throws, the run sends ``DurableOutboxEvent/failed(_:_:next:)``. The entry and its lane then wait for
/// the delay of `backoff`; other lanes continue. An entry that is returned and replaced repeatedly waits in the same
/// way from the second time on.
///
/// An entry may be delivered more than once, since the confirmation can be lost. Entries of different lanes have no
/// order.
///
/// With `operated:`, the effect takes up the commands of `millrace work` beside the journal. It looks for commands when
/// it is connected, before anything is delivered, and then every second by `clock`. Without commands, that costs one
/// check of a file name per second.
///
/// The wait for a moment is a run of its own, and so is the search for commands. If the store must settle while entries
/// wait or while it is operated, connect the effect with `longRunning: true`.
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
    /// Remove the saved commands, and look for others repeatedly until the moment.
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
  ///   - limit: the number of lanes that are served at once. Less than 1 counts as 1.
  ///   - backoff: the delay before each attempt after the first.
  ///   - journal: the path of the journal's file, beside which the effect looks for commands; `nil` for no commands.
  ///   - wallClock: returns the current date; replace it in a test.
  ///   - clock: the clock on which the effect waits. A test clock lets a test decide when the wall clock is checked.
  ///     The wall clock is checked at least once a minute.
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

  /// Returns the key of the entry; `nil` for the wait and for the search for commands, of which only one runs at a
  /// time.
  public func id(of request: Request) -> OutboxKey? {
    if case .deliver(let entry) = request { entry.key } else { nil }
  }

  /// Returns the entries that are delivered at once, and the next moment. O(1) in the number of entries.
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

  /// Delivers one entry, or waits for a moment or for commands.
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
    case .wait(let moment): await attend(until: moment, send)
    case .look(let commands, let moment):
      if folder != nil { await attend(commands, until: moment, send) }
    }
  }

  /// Waits until the moment, and looks for commands meanwhile, unless `taken` is `nil`.
  private func attend(
    _ taken: TakenCommands? = nil, until moment: Date?, _ send: Send<DurableOutboxEvent<Answer>>
  ) async {
    let folder = taken == nil ? nil : self.folder
    await folder?.perform { folder in folder.remove(taken?.saved ?? []) }
    var known: [WorkCommand]? = taken?.isKnown == true ? [] : nil
    while true {
      if let found = await folder?.perform({ folder in folder.contents() }), found.isWhole,
        found.commands != known
      {
        guard await send(.commanded(found.commands)) == .reduced else { return }
        known = found.commands
      }
      let now = wallClock()
      if let moment, now >= moment {
        await send(.reached(now))
        return
      }
      let longest: TimeInterval = folder == nil ? 60 : 1
      let rest = Duration.seconds(min(moment?.timeIntervalSince(now) ?? longest, longest))
      let reason = folder == nil ? "entries that wait until \(moment ?? now)" : "commands beside the journal"
      guard await clock.waits(max(rest, .milliseconds(1)), for: reason) else { return }
    }
  }
}

/// An event of a ``DurableOutboxEffect``. Pass it to `reduce(_:)` of the ``DurableOutbox``.
///
/// The reducer's change in reaction to an answer is on disk in one step with the change of the entry:
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
  /// The receiver has the entry, and returns this answer.
  case confirmed(OutboxKey, Answer?)
  /// The receiver has not applied the entry, and returns this answer. When the entry was replaced, it is delivered at
  /// `next`, or at once if that is `nil`.
  case returned(OutboxKey, Answer?, next: Date?)
  /// The receiver will never accept the entry.
  case rejected(OutboxKey, reason: String)
  /// An attempt to deliver the entry has failed, with this description of its error. The next one begins at `next`.
  case failed(OutboxKey, String, next: Date)
  /// The moment for which entries were waiting has come.
  case reached(Date)
  /// The commands from outside beside the journal, including those taken up before.
  case commanded([WorkCommand])
}

extension Confirmation: Equatable where Answer: Equatable {}
extension Confirmation: Hashable where Answer: Hashable {}
extension DurableOutboxEvent: Equatable where Answer: Equatable {}
extension DurableOutboxEvent: Hashable where Answer: Hashable {}
extension DurableOutboxEvent: Encodable where Answer: Encodable {}
extension DurableOutboxEvent: Decodable where Answer: Decodable {}
