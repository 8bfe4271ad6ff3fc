/// The connections and the runs in progress, according to the lines of a recording. Pure.
package struct LiveTable: Equatable, Sendable {
  package private(set) var runs: [UInt64: SnapshotLine.Live] = [:]
  package private(set) var connections: [UInt64: SnapshotLine.Connected] = [:]

  package init(runs: [SnapshotLine.Live] = [], connections: [SnapshotLine.Connected] = []) {
    self.runs = Dictionary(runs.map { ($0.generation, $0) }) { $1 }
    self.connections = Dictionary(connections.map { ($0.number, $0) }) { $1 }
  }

  package var sortedRuns: [SnapshotLine.Live] { runs.values.sorted { $0.generation < $1.generation } }

  package var sortedConnections: [SnapshotLine.Connected] {
    connections.values.sorted { $0.number < $1.number }
  }

  package mutating func handle(_ line: ConnectionLine) {
    connections[line.connection.number] = line.isConnected ? line.connection : nil
  }

  /// - Parameter sequence: the number of the last action before the line.
  package mutating func handle(_ line: RunLine, after sequence: UInt64 = 0) {
    switch line.event {
    case .start(let start):
      runs[line.generation] = SnapshotLine.Live(
        generation: line.generation, start: start, time: line.time, isStopping: false, isBehind: false)
    case .handOver(let request):
      runs[line.generation]?.start.request = request
      runs[line.generation]?.handed = sequence
    case .finish, .fail, .returned: runs[line.generation] = nil
    case .answer, .withdraw, .disconnect: runs[line.generation]?.isStopping = true
    }
  }
}
