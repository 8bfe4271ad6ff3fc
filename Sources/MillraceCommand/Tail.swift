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
    while true {
      guard let file = FileHandle(forReadingAtPath: path) else {
        throw CommandFailure(message: "\(path) cannot be read")
      }
      let inode = Self.inode(of: path)
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

  private static func inode(of path: String) -> UInt64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber)?.uint64Value
  }
}
