import Foundation
import MillraceSpelling
import MillraceTrace

/// Prints the lines of a file as they are written, also when the recording goes on in a new file.
struct Tail {
  let path: String
  let isJSON: Bool
  let grep: String?
  let follows: Bool

  /// - Returns: the exit code; never, while the file is followed.
  func run() throws -> Int32 {
    var last: UInt64?
    while true {
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw CommandFailure(message: "\(path) cannot be read")
      }
      let inode = Self.inode(of: file)
      let part = Self.part(of: file)
      // The recording has gone on more than once since the last look: the files between have other names by now.
      if let last, let part, part > last + 1 {
        for between in last + 1..<part { if let code = printLines(ofPart: between) { return code } }
      }
      last = part
      var scanner = LineScanner()
      while true {
        let data = file.availableData
        if !data.isEmpty {
          scanner.add(data)
          if let code = printLines(&scanner) { return code }
          continue
        }
        if !follows {
          if case .line(let number, .failure)? = scanner.rest() {
            Terminal.warn("\(path):\(number): the last line is incomplete")
          }
          return 0
        }
        // The file was renamed, and another one has its name: what was still written to it has been read by now.
        if Self.inode(of: path) != inode, file.availableData.isEmpty { break }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  private func printLines(_ scanner: inout LineScanner) -> Int32? {
    while case .line(let number, let result)? = scanner.next() {
      switch result {
      case .success(let line):
        guard let text = isJSON ? json(of: line) : line.shortText.map({ Spelling.visible($0) }) else {
          continue
        }
        if let grep, !text.contains(grep) { continue }
        print(text)
        fflush(nil)
      case .failure(let failure):
        Terminal.warn("\(path):\(number): \(failure)")
        return 3
      }
    }
    return nil
  }

  private func json(of line: TraceLine) -> String {
    String(decoding: LineWriter.bytes(of: line).dropLast(), as: UTF8.self)
  }

  /// The inode of the file that is read, whatever its name is by now.
  private static func inode(of file: FileHandle) -> UInt64? {
    var status = stat()
    return fstat(file.fileDescriptor, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// The number of the file in its recording. What is read next is its beginning.
  private static func part(of file: FileHandle) -> UInt64? {
    defer { try? file.seek(toOffset: 0) }
    var scanner = LineScanner()
    while let data = try? file.read(upToCount: 1 << 16), !data.isEmpty {
      scanner.add(data)
      if case .line(_, .success(.header(let header)))? = scanner.next() { return header.part }
    }
    return nil
  }

  /// Prints a file that has been left behind.
  private func printLines(ofPart wanted: UInt64) -> Int32? {
    guard let file = leftBehind(wanted), let data = try? file.readToEnd() else {
      Terminal.warn("\(path): part \(wanted) of the recording is gone")
      return nil
    }
    var scanner = LineScanner()
    scanner.add(data)
    return printLines(&scanner)
  }

  /// The file that has this number; `nil` if it is not kept any more. While the recording goes on in a new file, each older
  /// one is given the next name, and between two of these there is a name without a file: names only grow, and one that is
  /// missing is stepped over.
  private func leftBehind(_ wanted: UInt64) -> FileHandle? {
    var (distance, missing) = (1, 0)
    while missing < 2 {
      if let file = FileHandle(forReadingAtPath: "\(path).\(distance)") {
        if Self.part(of: file) == wanted { return file }
        missing = 0
      } else {
        missing += 1
      }
      distance += 1
    }
    return nil
  }

  private static func inode(of path: String) -> UInt64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
  }
}
