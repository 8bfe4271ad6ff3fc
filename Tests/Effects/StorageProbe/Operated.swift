import Millrace
import MillraceEffects
import MillraceStorage

/// A program that counts how often it was asked to pause each lane, and resumes it.
enum Operated {
  private typealias Shop = DurableOutbox<String, String, Int>

  private enum Action: Sendable {
    case outbox(DurableOutboxEvent<Never>)
    case journal(Shop.Journal)
  }

  static func run(at path: String) async {
    let storage = Shop.Storage(at: path)
    let store = Store(initialState: Shop()) { (shop: inout Shop, action: Action) in
      switch action {
      case .outbox(let event):
        shop.reduce(event)
        guard case .commanded(let commands) = event else { return }
        say("commanded \(commands.count)")
        for case .pause(let lane) in commands.map(\.change) where shop.isPaused(lane: lane) {
          shop.resume(lane: lane)
          shop[lane, default: 0] += 1
        }
      case .journal(let event):
        shop.reduce(event)
        if case .loaded = event { say("loaded") }
      }
    }
    let deliveries = DurableOutboxEffect<String, Never>(operated: path) { _ in .received() }
    store.connect(deliveries, to: \.due, action: Action.outbox, longRunning: true)
    store.connect(JournalEffect(storage), to: \.backlog, action: Action.journal)
    await inputEnded()
    await store.shutdown()
  }
}
