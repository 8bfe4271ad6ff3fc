/// The connections and the runs in progress, according to the lines of a recording. Pure.
package struct LiveTable: Sendable {
  package private(set) var runs: [UInt64: SnapshotLine.Live] = [:]
  package private(set) var connections: [UInt64: SnapshotLine.Connected] = [:]

  package init() {}

  package var whole: SnapshotLine.Whole {
    SnapshotLine.Whole(
      runs: runs.values.sorted { $0.generation < $1.generation },
      connections: connections.values.sorted { $0.number < $1.number })
  }

  /// Replaces the contents by those of a complete snapshot.
  package mutating func handle(_ whole: SnapshotLine.Whole) {
    runs = Dictionary(whole.runs.map { ($0.generation, $0) }) { $1 }
    connections = Dictionary(whole.connections.map { ($0.number, $0) }) { $1 }
  }

  package mutating func handle(_ line: ConnectionLine) {
    connections[line.number] =
      line.isConnected
      ? SnapshotLine.Connected(
        number: line.number, name: line.name, site: line.site, slice: nil, isInPart: line.isInPart)
      : nil
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
