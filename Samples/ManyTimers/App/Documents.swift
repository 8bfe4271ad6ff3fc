import LonelyTimer
import Millrace

/// Timers as documents: each has a store of its own, made when it is opened and gone when it is closed.
actor Documents {
  typealias Document = Store<LonelyTimer.State, LonelyTimer.Action>

  private var open: [String: Document] = [:]
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  var names: [String] { open.keys.sorted() }

  /// Opens a document, or gives the one that is open under that name.
  func open(_ name: String) -> Document {
    if let document = open[name] { return document }
    let document = Document(
      initialState: LonelyTimer.State(), options: StoreOptions(name: name), reduce: LonelyTimer.reduce)
    LonelyTimer.connect(to: document, clock: clock)
    open[name] = document
    return document
  }

  /// Closes a document: when this returns nothing of it runs any more.
  @discardableResult
  func close(_ name: String) async -> ShutdownReport? {
    guard let document = open.removeValue(forKey: name) else { return nil }
    return await document.shutdown()
  }
}
