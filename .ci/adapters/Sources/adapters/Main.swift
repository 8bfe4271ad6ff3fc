import Foundation
import Logging
import Metrics
import Millrace
import ServiceLifecycle
import Tracing

/// Says `ready` when the group has begun, which by then listens to signals; the place of a program's exporters.
struct Exporter: Service {
  func run() async throws {
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    try await gracefulShutdown()
  }
}

/// A daemon with every adapter. With the argument `stubborn` it has a run that does not return.
@main struct Main {
  static func main() async {
    var initial = Desk(words: ["word", "nowhere"])
    if CommandLine.arguments.contains("stubborn") { initial.stubborn = ["held"] }
    // Adapters
    let logger = Logger(label: "desk")
    let store = Store(
      initialState: initial, options: StoreOptions(diagnostics: .logged(by: logger)), reduce: reduceDesk)
    store.observe(FailureLog(logger))
    store.observe(StoreMetrics())
    store.observe(RunSpans(InstrumentationSystem.tracer))
    connectDesk(store)
    await serve(store, exporter: Exporter(), logger: logger)
  }

  static func serve(_ store: Store<Desk, DeskAction>, exporter: some Service, logger: Logger) async {
    // Adapters
    let service = StoreService(store: store, graceful: .seconds(2), hard: .seconds(2))
    let group = ServiceGroup(
      services: [exporter, service], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    do { try await group.run() } catch {
      logger.critical("the program ends by a failure", metadata: ["failure": "\(error)"])
      exit(1)
    }
  }
}
