import Foundation
import MillraceTrace

/// The lines of a growing recording, also after a rotation into a new file. If another recording begins in the file,
/// such as that of a restarted program, the lines of the former one are dropped.
final class FollowedFile: @unchecked Sendable {  // `log` is guarded by `grown`, and the rest is immutable
  /// The lines in the format of a page, by their offsets in all bytes read.
  private struct Log {
    var header: TraceHeader?
    /// The number of the recording among those that the file has had, counted from 1.
    var number = 0
    /// The lines from the offset `start` on, in pieces.
    var pieces: [[UInt8]] = []
    var start = 0
    var count = 0
    var damage: String?

    /// About a megabyte of lines at most.
    func lines(from offset: Int) -> (bytes: [UInt8], end: Int, number: Int) {
      var bytes: [UInt8] = []
      var at = start
      for piece in pieces {
        defer { at += piece.count }
        if at + piece.count <= offset { continue }
        if bytes.count > 1 << 20 { break }
        bytes += at < offset ? piece[(offset - at)...] : piece[...]
      }
      return (bytes, max(offset, start) + bytes.count, number)
    }
  }

  /// The number of bytes kept for a page that is opened later. The oldest lines beyond it are dropped.
  private static let most = 256 << 20

  /// The size at which a piece is complete, in bytes.
  private static let pieceSize = 64 << 10

  private let path: String
  private var log = Log()
  /// Signalled when `log` has grown.
  private let grown = NSCondition()

  init(path: String) { self.path = path }

  /// The header, the offset of the first line kept, and the number of the recording; `nil` before there is a header.
  var beginning: (header: TraceHeader, offset: Int, number: Int)? {
    grown.withLock { log.header.map { ($0, log.start, log.number) } }
  }

  /// Waits until a recording has lines from an offset on, another recording begins, or the time is over; returns the
  /// lines.
  func lines(
    of number: Int, from offset: Int, until end: Date
  ) -> (bytes: [UInt8], end: Int, number: Int) {
    grown.withLock {
      var lines = log.lines(from: offset)
      while lines.bytes.isEmpty, lines.number == number, grown.wait(until: end) {
        lines = log.lines(from: offset)
      }
      return lines
    }
  }

  /// The reason why the file is not read further; `nil` while it is.
  var damage: String? { grown.withLock { log.damage } }

  /// Reads the file for ever, or until it is damaged.
  func read() {
    var recording = GrowingRecording(path: path)
    var last = ContinuousClock.now
    while damage == nil {
      if take(from: &recording) {
        last = .now
      } else {
        // A file that has just grown is read more often than one at rest.
        Thread.sleep(forTimeInterval: last.duration(to: .now) < .seconds(1) ? 0.004 : 0.02)
      }
    }
  }

  /// Appends the lines written since the last call, about one piece at most. Returns whether there were any.
  func take(from recording: inout GrowingRecording) -> Bool {
    var piece: [UInt8] = []
    let known = grown.withLock { log.header }
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
    grown.withLock {
      if let begun {
        log = Log(header: begun, number: log.number + 1, start: log.start + log.count)
      }
      if !piece.isEmpty { log.pieces.append(piece) }
      log.count += piece.count
      while log.count > Self.most, log.pieces.count > 1 {
        let dropped = log.pieces.removeFirst().count
        log.start += dropped
        log.count -= dropped
      }
      log.damage = damage
      if !piece.isEmpty || begun != nil { grown.broadcast() }
    }
    if let damage { Terminal.warn(damage) }
    return !piece.isEmpty || begun != nil
  }
}
