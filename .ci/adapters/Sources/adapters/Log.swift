import Logging
import Millrace

/// Logs runs that failed, with the names of their connections.
final class FailureLog: StoreObserver {
  private let logger: Logger
  private let showsValues: Bool

  /// - Parameter showingValues: whether to log requests and errors, which may hold the program's data.
  init(_ logger: Logger, showingValues: Bool = false) {
    self.logger = logger
    showsValues = showingValues
  }

  func observe(_ event: StoreEvent) {
    guard case .runEnded(let run, .failed(let error, _), _) = event.kind else { return }
    var metadata: Logger.Metadata = ["effect": "\(run.name)", "error": "\(type(of: error))"]
    if showsValues {
      metadata["request"] = "\(run.request)"
      metadata["error"] = "\(error)"
    }
    logger.warning("a run failed", metadata: metadata)
  }
}

extension StoreDiagnostics {
  /// Logs each mistake by its kind and its place. The message may hold requests.
  static func logged(by logger: Logger, showingValues: Bool = false) -> StoreDiagnostics {
    StoreDiagnostics { diagnostic in
      var metadata: Logger.Metadata = ["kind": "\(diagnostic.kind)", "site": "\(diagnostic.site)"]
      if showingValues { metadata["message"] = "\(diagnostic.message)" }
      logger.error("a mistake in the use of a store", metadata: metadata)
    }
  }
}
