import Millrace
import ServiceLifecycle

/// Runs a store until the graceful shutdown of its group, and then shuts the store down.
struct StoreService<State: Sendable, Action: Sendable>: Service {
  let store: Store<State, Action>
  var graceful: Duration = .seconds(5)
  var hard: Duration? = .seconds(5)

  func run() async throws {
    var graceful = graceful
    do { try await gracefulShutdown() } catch { graceful = .zero }  // the group was cancelled
    let report = await store.shutdown(graceful: graceful, hard: hard)
    if !report.isClean { throw UncleanShutdown(report) }
  }
}

/// Some work of a store had not returned by the hard deadline.
struct UncleanShutdown: Error, CustomStringConvertible {
  /// The names of the connections; the report itself has their requests, too.
  let connections: [String]

  init(_ report: ShutdownReport) { connections = report.unfinished.map(\.connection.name) }

  var description: String { "not returned by the hard deadline: \(connections.joined(separator: ", "))" }
}
