import Millrace
import MillraceTesting

/// Keeps every event of a store.
final class EventRecorder: StoreObserver {
  let events = Recorder<StoreEvent>()

  init() {}

  /// Observes a store.
  convenience init<State, Action>(of store: Store<State, Action>) {
    self.init()
    store.observe(self)
  }

  func observe(_ event: StoreEvent) { events.append(event) }

  /// The events as short lines.
  var lines: [String] { events.values.map(\.kind.line) }

  /// The short lines that tell of runs.
  var runs: [String] { lines.filter { $0.contains("#") } }
}

extension StoreEvent.Kind {
  var line: String {
    switch self {
    case .willReduce(let action, let sequence, _): "\(sequence) will reduce \(action)"
    case .didReduce(let sequence, _, _): "\(sequence) did reduce"
    case .turnedAway(let action, let fate, _): "\(fate) \(action)"
    case .runStarted(let run, _): "started \(run.short)"
    case .runHandedOver(let run, let request): "handed \(request) to \(run.short)"
    case .runEnded(let run, .finished, _): "finished \(run.short)"
    case .runEnded(let run, .failed(let error, _), _): "failed \(run.short): \(error)"
    case .runEnded(let run, _, _): "cancelled \(run.short)"
    case .runReturned(let run, _): "ended \(run.short)"
    case .connected(let connection): "connected \(connection.name)"
    case .disconnected(let connection): "disconnected \(connection.name)"
    case .updated(let connection, let sequence): "updated \(connection.name) at \(sequence)"
    }
  }
}

extension RunIdentity {
  fileprivate var short: String { "#\(generation) \(request)" }
}
