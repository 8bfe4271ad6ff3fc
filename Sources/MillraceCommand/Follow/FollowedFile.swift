import Foundation
import Millrace
import MillraceTrace

/// The lines of a file that grows, also when the recording goes on in a new file.
///
/// | field | guarded by |
/// |---|---|
/// | `log`, with everything else in it | its own lock |
final class FollowedFile: Sendable {
  /// The lines as a page has them, by their places in all that was read.
  private struct Log {
    var header: [UInt8] = []
    /// Lines from `start` on, in pieces.
    var pieces: [[UInt8]] = []
    var start = 0
    var count = 0
    var damage: String?
  }

  /// How much is kept for a page that is opened later: of more, the oldest lines are dropped.
  private static let most = 256 << 20

  private let path: String
  private let log = Lock(Log())

  init(path: String) { self.path = path }

  /// The header of the recording, and where the lines begin that are kept; `nil` before there is a header.
  var beginning: (header: [UInt8], offset: Int)? {
    log.withLock { $0.header.isEmpty ? nil : ($0.header, $0.start) }
  }

  /// The lines from a place on, about a megabyte at most, and where they end.
  func lines(from offset: Int) -> (bytes: [UInt8], end: Int) {
    log.withLock { log in
      var bytes: [UInt8] = []
      var at = log.start
      for piece in log.pieces {
        defer { at += piece.count }
        if at + piece.count <= offset { continue }
        if bytes.count > 1 << 20 { break }
        bytes += at < offset ? piece[(offset - at)...] : piece[...]
      }
      return (bytes, max(offset, log.start) + bytes.count)
    }
  }

  /// Why the file is not read further; `nil` while it is.
  var damage: String? { log.withLock { $0.damage } }

  /// Reads for ever.
  func read() {
    while damage == nil {
      guard let file = FileHandle(forReadingAtPath: path) else {
        Thread.sleep(forTimeInterval: 0.1)
        continue
      }
      let inode = Self.inode(of: path)
      var scanner = LineScanner()
      while damage == nil {
        let data = file.availableData
        if !data.isEmpty {
          scanner.add(data)
          take(&scanner)
        } else if Self.inode(of: path) != inode, file.availableData.isEmpty {
          break
        } else {
          Thread.sleep(forTimeInterval: 0.02)
        }
      }
    }
  }

  private func take(_ scanner: inout LineScanner) {
    var piece: [UInt8] = []
    var header: [UInt8]?
    var damage: String?
    loop: while case .line(let number, let result)? = scanner.next() {
      switch result {
      case .success(.header(let line)): header = PageLines.bytes(of: .header(line))
      case .success(let line): piece += PageLines.bytes(of: line)
      case .failure(let failure):
        damage = "\(path):\(number): \(failure); what follows is not read"
        break loop
      }
    }
    log.withLock { log in
      if let header, log.header.isEmpty { log.header = header }
      if !piece.isEmpty { log.pieces.append(piece) }
      log.count += piece.count
      while log.count > Self.most, log.pieces.count > 1 {
        let dropped = log.pieces.removeFirst().count
        log.start += dropped
        log.count -= dropped
      }
      log.damage = damage
    }
    if let damage { Terminal.warn(damage) }
  }

  private static func inode(of path: String) -> UInt64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
  }
}
