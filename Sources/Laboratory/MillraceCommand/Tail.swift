import Foundation
import MillraceSpelling
import MillraceTrace

/// Prints the lines of a file as they are written, also after a rotation into a new file.
struct Tail {
  let path: String
  let isJSON: Bool
  let grep: String?
  let follows: Bool

  /// - Returns: the exit code. Does not return while it follows the file.
  func run() throws -> Int32 {
    if let failure = TraceFailure.reading(path) { throw failure }
    if GrowingRecording.isRing(path) { return try showRing() }
    var recording = GrowingRecording(path: path)
    var looksInVain = 0
    while true {
      switch recording.next() {
      case .line(let line): show(line)
      case .missing(let part): Terminal.warn("\(path): part \(part) of the recording is gone")
      case .damage(let text):
        Terminal.warn(text)
        return 3
      case .nothing where follows:
        // Between the renames of a rotation, no file has the name for a moment. After a second without a file, the
        // recording was removed.
        looksInVain = FileManager.default.fileExists(atPath: path) ? 0 : looksInVain + 1
        if looksInVain == 10 { throw CommandFailure(message: "\(path) is gone") }
        Thread.sleep(forTimeInterval: 0.1)
      case .nothing:
        if let number = recording.incompleteLine {
          Terminal.warn("\(path):\(number): the last line is incomplete")
        }
        return 0
      }
    }
  }

  /// Prints the lines of a flight recorder, which cannot be followed.
  private func showRing() throws -> Int32 {
    if follows { throw CommandFailure(message: GrowingRecording.ringsEnd(path)) }
    let text = try TraceText(contentsOf: path)
    show(.header(text.header))
    for line in text.lines { show(line.line) }
    if let damage = text.damage { Terminal.warn("\(path):\(damage.line): \(damage.problem)") }
    return text.damage == nil ? 0 : 3
  }

  private func show(_ line: TraceLine) {
    let text =
      isJSON
      ? String(decoding: LineWriter.bytes(of: line).dropLast(), as: UTF8.self)
      : line.shortText.map { Spelling.visible($0) }
    guard let text else { return }
    if let grep, !text.contains(grep) { return }
    print(text)
    fflush(nil)
  }
}
