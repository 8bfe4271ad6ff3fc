import LonelyTimer
import Millrace

/// Timers as documents. Each has its own store, which is made on opening and released on closing.
actor Documents {
  typealias Document = Store<LonelyTimer.State, LonelyTimer.Action>

  private var open: [String: Document] = [:]
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  var names: [String] { open.keys.sorted() }

  /// Opens a document, or returns the open one of this name.
  func open(_ name: String) -> Document {
    if let document = open[name] { return document }
    let document = Document(
      initialState: LonelyTimer.State(), options: StoreOptions(name: name), reduce: LonelyTimer.reduce)
    LonelyTimer.connect(to: document, clock: clock)
    open[name] = document
    return document
  }

  /// Closes a document. When this returns, nothing of it runs any more.
  @discardableResult
  func close(_ name: String) async -> ShutdownReport? {
    guard let document = open.removeValue(forKey: name) else { return nil }
    return await document.shutdown()
  }
}
