import Foundation
import Millrace
import MillraceTrace

/// The lines of a file that grows, also when the recording goes on in a new file. When another recording begins there, such
/// as that of the program started again, what was read before is dropped.
///
/// | field | guarded by |
/// |---|---|
/// | `log`, with everything else in it | its own lock |
/// | `grown` | itself; taken before the lock of `log`, and signalled after it |
final class FollowedFile: Sendable {
  /// The lines as a page has them, by their places in all that was read.
  private struct Log {
    /// The header with which the recording begins, as a page has it.
    var header: [UInt8] = []
    var recording: TraceHeader?
    /// Which recording it is of those that the file has had, counted from 1.
    var number = 0
    /// Lines from `start` on, in pieces.
    var pieces: [[UInt8]] = []
    var start = 0
    var count = 0
    var damage: String?
  }

  /// How much is kept for a page that is opened later: of more, the oldest lines are dropped.
  private static let most = 256 << 20

  /// The size at which a piece is complete, in bytes.
  private static let pieceSize = 64 << 10

  private let path: String
  private let log = Lock(Log())
  private let grown = NSCondition()

  init(path: String) { self.path = path }

  /// The header of the recording, where the lines begin that are kept, and its number; `nil` before there is a header.
  var beginning: (header: [UInt8], offset: Int, number: Int)? {
    log.withLock { $0.header.isEmpty ? nil : ($0.header, $0.start, $0.number) }
  }

  /// The lines from a place on, about a megabyte at most, where they end, and the number of their recording.
  func lines(from offset: Int) -> (bytes: [UInt8], end: Int, number: Int) {
    log.withLock { log in
      var bytes: [UInt8] = []
      var at = log.start
      for piece in log.pieces {
        defer { at += piece.count }
        if at + piece.count <= offset { continue }
        if bytes.count > 1 << 20 { break }
        bytes += at < offset ? piece[(offset - at)...] : piece[...]
      }
      return (bytes, max(offset, log.start) + bytes.count, log.number)
    }
  }

  /// The lines of a recording from a place on, once there are any or there is another recording, or at a time without.
  func lines(
    of number: Int, from offset: Int, until end: Date
  ) -> (bytes: [UInt8], end: Int, number: Int) {
    grown.lock()
    defer { grown.unlock() }
    var lines = lines(from: offset)
    while lines.bytes.isEmpty, lines.number == number, grown.wait(until: end) {
      lines = self.lines(from: offset)
    }
    return lines
  }

  /// Why the file is not read further; `nil` while it is.
  var damage: String? { log.withLock { $0.damage } }

  /// Reads for ever.
  func read() {
    var recording = GrowingRecording(path: path)
    var last = ContinuousClock.now
    while damage == nil {
      if take(from: &recording) {
        last = .now
      } else {
        // A file that grows is looked at more often than one at rest.
        Thread.sleep(forTimeInterval: last.duration(to: .now) < .seconds(1) ? 0.004 : 0.02)
      }
    }
  }

  /// Appends the lines that were written since the last call, at most about a piece. Returns whether there were any.
  func take(from recording: inout GrowingRecording) -> Bool {
    var piece: [UInt8] = []
    let known = log.withLock { $0.recording }
    var begun: TraceHeader?
    var damage: String?
    loop: while piece.count < Self.pieceSize {
      switch recording.next() {
      case .line(.header(let header)):
        if (begun ?? known)?.isOfRecording(of: header) != true { (begun, piece) = (header, []) }
      case .line(let line): piece += PageLines.bytes(of: line)
      case .missing(let part): Terminal.warn("\(path): part \(part) of the recording is gone")
      case .damage(let text):
        damage = "\(text); what follows is not read"
        break loop
      case .nothing: break loop
      }
    }
    log.withLock { log in
      if let begun {
        let end = log.start + log.count
        log = Log(
          header: PageLines.bytes(of: .header(begun)), recording: begun, number: log.number + 1, start: end)
      }
      if !piece.isEmpty { log.pieces.append(piece) }
      log.count += piece.count
      while log.count > Self.most, log.pieces.count > 1 {
        let dropped = log.pieces.removeFirst().count
        log.start += dropped
        log.count -= dropped
      }
      log.damage = damage
    }
    if !piece.isEmpty || begun != nil {
      grown.lock()
      grown.broadcast()
      grown.unlock()
    }
    if let damage { Terminal.warn(damage) }
    return !piece.isEmpty || begun != nil
  }
}
