import Foundation

/// The lines of one file of a recording, up to the first that cannot be read.
package struct TraceText: Sendable {
  /// A line with its number, from 1.
  package struct Numbered: Sendable {
    package let number: Int
    package let line: TraceLine
  }

  /// The first unreadable line of a file.
  package struct Damage: Error, Equatable, Sendable {
    package let line: Int
    package let problem: String
  }

  package let header: TraceHeader
  /// The lines after the header.
  package private(set) var lines: [Numbered] = []
  /// The number of the last line, if it is incomplete: the program ended while writing it.
  package private(set) var tornLine: Int?
  /// The first line that cannot be read. Lines after it are not read.
  package private(set) var damage: Damage?

  /// A recording that has only its header yet.
  package init(header: TraceHeader) { self.header = header }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `Damage` if not even the header can be read.
  package init(_ bytes: [UInt8]) throws(Damage) {
    var reader = LineScanner()
    if RingImage.isRing(bytes) {
      guard let lines = RingImage.unrolled(bytes) else {
        throw Damage(line: 1, problem: "is the file of a flight recorder, and its counters are damaged")
      }
      reader.add(lines)
    } else {
      reader.add(bytes)
    }
    let problem: String
    switch (reader.next() ?? reader.rest())?.result {
    case .success(.header(let header)) where header.version == TraceHeader.version:
      self.header = header
      readLines(&reader)
      return
    case .success(.header(let header)):
      problem = "is of version \(header.version) of the format, and this program reads \(TraceHeader.version)"
    case .success:
      problem = "is no header of a recording; its first line begins {\"millrace-trace\": …"
    case .failure(let failure): problem = "is no header of a recording: it \(failure)"
    case nil: problem = "the file is empty"
    }
    throw Damage(line: 1, problem: problem)
  }

  private mutating func readLines(_ reader: inout LineScanner) {
    while let (number, result) = reader.next() {
      do { lines.append(Numbered(number: number, line: try result.get())) } catch {
        damage = Damage(line: number, problem: error.description)
        return
      }
    }
    guard let (number, result) = reader.rest() else { return }
    if let line = try? result.get(), line != .unknown {
      lines.append(Numbered(number: number, line: line))
    } else {
      tornLine = number
    }
  }

  /// Reads a file.
  package init(contentsOf path: String) throws(TraceFailure) {
    let bytes = try Self.bytes(of: path)
    do throws(Damage) { try self.init(bytes) } catch {
      throw TraceFailure("\(path):\(error.line): \(error.problem)")
    }
  }

  /// Reads a file. If a program overwrites a whole ring meanwhile, reads it again, up to eight times in total.
  static func bytes(of path: String) throws(TraceFailure) -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      for _ in 0..<8 {
        var bytes = Array(try file.readToEnd() ?? Data())
        if !RingImage.isRing(bytes) { return bytes }
        try file.seek(toOffset: 0)
        let later = try file.read(upToCount: RingImage.page) ?? Data()
        if RingImage.leaveOutOverwritten(of: &bytes, seenIn: later) { return bytes }
        try file.seek(toOffset: 0)
      }
      throw POSIXError(.EAGAIN)
    } catch {
      throw TraceFailure.reading(path) ?? TraceFailure("read", path, EIO)
    }
  }

  init(recorded bytes: [UInt8]) throws(TraceFailure) {
    do throws(Damage) { try self.init(bytes) } catch { throw TraceFailure(error.problem) }
  }
}

/// Splits bytes into lines as the bytes are added.
package struct LineScanner {
  /// A line with its number, from 1.
  package typealias Next = (number: Int, result: Result<TraceLine, LineReader.Failure>)

  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var number = 0
  /// The number that the last line contains.
  private var last: UInt64?

  package init() {}

  package mutating func add(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next complete line.
  package mutating func next() -> Next? {
    while true {
      guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
        searched = bytes.count
        return nil
      }
      let range = start..<end
      start = end + 1
      searched = start
      number += 1
      if !range.isEmpty { return (number, read(range)) }
    }
  }

  /// The incomplete line at the end.
  package mutating func rest() -> Next? {
    if start == bytes.count { return nil }
    defer { start = bytes.count }
    return (number + 1, read(start..<bytes.count))
  }

  private mutating func read(_ range: Range<Int>) -> Result<TraceLine, LineReader.Failure> {
    Result { () throws(LineReader.Failure) in try LineReader.read(bytes, in: range, after: &last) }
  }
}
