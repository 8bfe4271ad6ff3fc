import Foundation
import Millrace

extension Replay {
  /// Writes the recording to another file, with the state after each action, so that `millrace view` shows every step.
  ///
  /// ```swift
  /// try replay.fill(to: "filled.jsonl")
  /// ```
  ///
  /// A running program records a snapshot only now and then, since encoding the state for each action would be too
  /// slow. This reduces the actions again, with nothing running. The file has no states where the recording does not
  /// know them: after a gap, and before the first snapshot. Each recorded snapshot replaces the computed state. Costs
  /// the reductions, and one encoding of the state for each action; the file grows accordingly.
  ///
  /// - Parameter path: the path of the file, which is replaced. Only its owner can read it.
  /// - Throws: `TraceFailure` if actions or snapshots do not decode, or the file cannot be written.
  public func fill(to path: String) throws(TraceFailure) {
    if let undecodable {
      throw TraceFailure("line \(undecodable.line) does not decode: \(undecodable.kinds)")
    }
    var maker = PayloadMaker(redactor)
    var state: (value: State, sequence: UInt64)?
    var (bytes, number): ([UInt8], UInt64) = ([], 0)
    func append(_ line: TraceLine) {
      number += 1
      bytes += LineWriter.bytes(of: line, number: number)
    }
    append(.header(text.header))
    for (action, line) in zip(actions, text.lines.lazy.map(\.line)) {
      if line != .unknown { append(line) }
      switch (action, line) {
      case (let action?, .action(let line)):
        guard var value = state?.value, state?.sequence == line.sequence - 1 else {
          state = nil
          continue
        }
        state = nil
        reducer(&value, action)
        state = (value, line.sequence)
        append(
          .snapshot(
            SnapshotLine(
              sequence: line.sequence, time: line.time, state: maker.payload(of: value), whole: nil)))
      case (_, .snapshot(let snapshot)) where isKnown(snapshot) || state?.sequence != snapshot.sequence:
        do { state = (try self.state(of: snapshot), snapshot.sequence) } catch {
          throw TraceFailure("a snapshot does not decode: \(Self.words(error))")
        }
      default: break
      }
    }
    try FileSink.replace(path, with: bytes)
  }
}
