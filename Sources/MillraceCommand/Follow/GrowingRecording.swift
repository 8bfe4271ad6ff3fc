import Foundation
import MillraceTrace

/// The lines of a recording as they are written, also when it goes on in a new file, and when another recording takes its
/// place. Used by one thread.
struct GrowingRecording {
  enum Next {
    case line(TraceLine)
    /// A file of the recording that is not kept any more.
    case missing(part: UInt64)
    /// A line that cannot be read. Nothing behind it is.
    case damage(String)
    /// Everything that is written has been read.
    case nothing
  }

  let path: String
  private var file: FileHandle?
  private var scanner = LineScanner()
  /// The header of the file that was begun last.
  private var header: TraceHeader?

  init(path: String) { self.path = path }

  /// The line that is only half written, if there is one.
  var incompleteLine: Int? {
    var scanner = scanner
    if case .line(let number, .failure)? = scanner.rest() { return number }
    return nil
  }

  mutating func next() -> Next {
    while true {
      if case .line(let number, let result)? = scanner.next() {
        switch result {
        case .success(let line):
          if case .header(let header) = line { self.header = header }
          return .line(line)
        case .failure(let failure): return .damage("\(path):\(number): \(failure)")
        }
      }
      guard let file else {
        switch nextFile() {
        case .file(let file): (self.file, scanner) = (file, LineScanner())
        case .missing(let part):
          header?.part = part
          return .missing(part: part)
        case .none: return .nothing
        }
        continue
      }
      let data = file.availableData
      if !data.isEmpty {
        scanner.add(data)
      } else if Self.inode(of: path) != Self.inode(of: file), file.availableData.isEmpty {
        // Another file has its name: what was still written to it has been read by now.
        self.file = nil
      } else {
        return .nothing
      }
    }
  }

  private enum NextFile {
    case file(FileHandle)
    case missing(UInt64)
  }

  /// The file to be read next. `nil` while there is none, as between two renames, or none that says which it is.
  private func nextFile() -> NextFile? {
    guard let newest = FileHandle(forReadingAtPath: path) else { return nil }
    guard let header else { return .file(newest) }
    guard let found = Self.firstLine(of: newest) else { return nil }
    guard case .header(let next) = found, next.isOfRecording(of: header), next.part > header.part + 1 else {
      return .file(newest)
    }
    // The recording has gone on more than once since the last look: the files between have other names by now.
    return leftBehind(header.part + 1, after: header).map(NextFile.file) ?? .missing(header.part + 1)
  }

  /// The file that has this number; `nil` if it is not kept any more. While the recording goes on in a new file, each older
  /// one is given the next name, and between two of these there is a name without a file: names only grow, and one that is
  /// missing is stepped over.
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

  /// The first line; `nil` if it is not there yet. What is read next is the file's beginning.
  private static func firstLine(of file: FileHandle) -> TraceLine? {
    defer { try? file.seek(toOffset: 0) }
    var scanner = LineScanner()
    while let data = try? file.read(upToCount: 1 << 16), !data.isEmpty {
      scanner.add(data)
      // One that cannot be read is told when the file is.
      if case .line(_, let result)? = scanner.next() { return (try? result.get()) ?? .unknown }
    }
    return nil
  }

  /// The inode of the file that is read, whatever its name is by now.
  private static func inode(of file: FileHandle) -> UInt64? {
    var status = stat()
    return fstat(file.fileDescriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private static func inode(of path: String) -> UInt64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
  }
}

extension TraceHeader {
  /// Whether both are headers of files of one recording.
  fileprivate func isOfRecording(of other: TraceHeader) -> Bool {
    (process, start, program) == (other.process, other.start, other.program)
  }
}
