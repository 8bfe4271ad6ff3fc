import Foundation

/// An answer of Redis.
indirect enum RespValue: Equatable, Sendable {
  case text(String)
  case number(Int)
  case list([RespValue])
  case none

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int? { if case .number(let number) = self { number } else { nil } }
  var list: [RespValue] { if case .list(let list) = self { list } else { [] } }
}

/// An error answer of Redis.
struct RespError: Error, Equatable, CustomStringConvertible { var description: String }

/// The server sent something that is no answer of Redis.
struct RespFailure: Error, CustomStringConvertible { var description: String }

/// Reads answers of Redis from bytes in parts of any size. Pure.
struct RespReader {
  /// The largest line and the deepest list that are read; the largest text is Redis's own limit.
  private static let (largestLine, deepest, largestText) = (64 << 10, 32, 512 << 20)

  private var bytes: [UInt8] = []
  private var start = 0
  /// The offset up to which no line break was found.
  private var searched = 0
  /// The length of the next text, if its line was read.
  private var textLength: Int?
  /// The incomplete lists, outermost first.
  private var lists: [(missing: Int, values: [RespValue])] = []
  /// An error within the current answer, which becomes the result of the whole answer.
  private var error: RespError?

  /// A command in the protocol's form.
  static func command(_ words: [String]) -> Data {
    words.reduce(into: Data("*\(words.count)\r\n".utf8)) { $0 += Data("$\($1.utf8.count)\r\n\($1)\r\n".utf8) }
  }

  /// Adds the next bytes.
  mutating func received(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    (start, searched) = (0, searched - start)
    bytes += more
  }

  /// The next complete answer; `nil` if more bytes are needed. Do not call it again after it has thrown.
  mutating func next() throws(RespFailure) -> Result<RespValue, RespError>? {
    while var value = try element() {
      while let last = lists.indices.last {
        lists[last].values.append(value)
        lists[last].missing -= 1
        guard lists[last].missing == 0 else { break }
        value = .list(lists.removeLast().values)
      }
      guard lists.isEmpty else { continue }
      defer { error = nil }
      return error.map { .failure($0) } ?? .success(value)
    }
    return nil
  }

  /// The next complete value. Begins the lists before it.
  private mutating func element() throws(RespFailure) -> RespValue? {
    while true {
      if let length = textLength {
        guard bytes.count - start >= length + 2 else { return nil }
        defer { (start, searched, textLength) = (start + length + 2, start + length + 2, nil) }
        return .text(String(decoding: bytes[start..<start + length], as: UTF8.self))
      }
      guard let line = try line() else { return nil }
      let rest = String(decoding: line.dropFirst(), as: UTF8.self)
      switch line.first {
      case UInt8(ascii: "+"): return .text(rest)
      case UInt8(ascii: "-"):
        error = error ?? RespError(description: rest)
        return RespValue.none
      case UInt8(ascii: ":"): return Int(rest).map { .number($0) } ?? RespValue.none
      case UInt8(ascii: "$"):
        guard let length = Int(rest), length <= Self.largestText else { throw odd(line) }
        guard length >= 0 else { return RespValue.none }
        textLength = length
      case UInt8(ascii: "*"):
        guard let count = Int(rest), count <= 0 || lists.count < Self.deepest else { throw odd(line) }
        guard count > 0 else { return count == 0 ? .list([]) : RespValue.none }
        lists.append((count, []))
      default: throw odd(line)
      }
    }
  }

  private mutating func line() throws(RespFailure) -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: 10) else {
      searched = bytes.count
      guard searched - start <= Self.largestLine else { throw odd(bytes[start...]) }
      return nil
    }
    let line = bytes[start..<end]
    (start, searched) = (end + 1, end + 1)
    guard line.last == 13 else { throw odd(line) }
    return line.dropLast()
  }

  private func odd(_ line: ArraySlice<UInt8>) -> RespFailure {
    RespFailure(description: "Redis says \(String(decoding: line.prefix(80), as: UTF8.self))")
  }
}
