import Foundation
import MillraceTrace

/// Reads the lines of a recording while it is written. Continues with the next file when the recording is rotated, and
/// with another recording that replaces it. Used by one thread.
struct GrowingRecording {
  enum Next {
    case line(TraceLine)
    /// A file of the recording was deleted before it was read.
    case missing(part: UInt64)
    /// A line, or the file, cannot be read; the text says where. Nothing after it is read.
    case damage(String)
    /// Every complete line has been read.
    case nothing
  }

  let path: String
  private var file: FileHandle?
  private var scanner = LineScanner()
  /// The last header read.
  private var header: TraceHeader?

  init(path: String) { self.path = path }

  /// Whether the file is that of a flight recorder, whose lines replace each other.
  static func isRing(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let data = read(file) else { return false }
    return RingImage.isRing(data)
  }

  /// Says what to do instead of following a flight recorder.
  static func ringsEnd(_ path: String) -> String {
    "\(path) is a flight recorder, which keeps the last lines to be read afterwards, and cannot be followed: "
      + "record to a file to follow it; 'view \(path)' and 'tail \(path) --once' read what it has"
  }

  /// The number of the last line if it is incomplete.
  var incompleteLine: Int? {
    var scanner = scanner
    guard case (let number, .failure)? = scanner.rest() else { return nil }
    return number
  }

  mutating func next() -> Next {
    while true {
      if let (number, result) = scanner.next() {
        switch result {
        case .success(let line):
          if case .header(let header) = line { self.header = header }
          return .line(line)
        case .failure(let failure): return .damage("\(place(of: number)): \(failure)")
        }
      }
      guard let file else {
        if let news = openNext() { return news }
        continue
      }
      // The bytes are read after the check, so that a renamed file is complete by then.
      let isReplaced = Self.inode(of: path) != Self.inode(of: file)
      guard let data = Self.read(file) else { return .damage("\(path) cannot be read") }
      if !data.isEmpty {
        scanner.add(data)
      } else if isReplaced {
        self.file = nil
      } else {
        return .nothing
      }
    }
  }

  /// Names a line of the file being read, which may have been renamed.
  private func place(of line: Int) -> String {
    guard let header, header.part > 1 else { return "\(path):\(line)" }
    return "\(path), part \(header.part), line \(line)"
  }

  /// The next bytes, empty at the end of the file; `nil` if the system refuses, as it does for a folder.
  private static func read(_ file: FileHandle) -> Data? {
    do { return try file.read(upToCount: 1 << 16) ?? Data() } catch { return nil }
  }

  /// Opens the next file to read.
  ///
  /// - Returns: `nil` if it is open; `.nothing` if there is none, such as between two renames, or if it has no header
  ///   yet; `.missing` if it was deleted.
  private mutating func openNext() -> Next? {
    guard var next = FileHandle(forReadingAtPath: path) else { return .nothing }
    if let header {
      guard let line = Self.firstLine(of: next) else { return .nothing }
      let due = header.part + 1
      if case .header(let newest) = line, newest.isOfRecording(of: header), newest.part > due {
        // The recording was rotated more than once since the last check, and the files in between were renamed.
        guard let renamed = leftBehind(due, after: header) else {
          self.header?.part = due
          return .missing(part: due)
        }
        next = renamed
      }
    }
    (file, scanner) = (next, LineScanner())
    return nil
  }

  /// The file of a part; `nil` if it was deleted. A rotation renames each older file to the next number, beginning with
  /// the oldest, so one number at a time has no file. This search skips a single missing number.
  private func leftBehind(_ part: UInt64, after last: TraceHeader) -> FileHandle? {
    var (distance, missing) = (1, 0)
    while missing < 2 {
      if let file = FileHandle(forReadingAtPath: "\(path).\(distance)") {
        missing = 0
        if case .header(let header)? = Self.firstLine(of: file), header.isOfRecording(of: last),
          header.part == part
        {
          return file
        }
      } else {
        missing += 1
      }
      distance += 1
    }
    return nil
  }

  /// The first line; `nil` if it is not complete yet. Leaves the file at its beginning.
  private static func firstLine(of file: FileHandle) -> TraceLine? {
    defer { try? file.seek(toOffset: 0) }
    var scanner = LineScanner()
    while let data = read(file), !data.isEmpty {
      scanner.add(data)
      // A damaged line is reported when the file is read.
      if let line = scanner.next() { return (try? line.result.get()) ?? .unknown }
    }
    return nil
  }

  /// The inode of an open file, which may have been renamed.
  private static func inode(of file: FileHandle) -> UInt64? {
    var status = stat()
    return fstat(file.fileDescriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private static func inode(of path: String) -> UInt64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
  }
}
