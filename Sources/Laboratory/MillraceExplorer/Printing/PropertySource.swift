#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// The closure of a property as it is written in the test's source, so that a printed test can state the same property.
enum PropertySource {
  /// The trailing closure of a call such as `.always("its name") { … }` at or after a line of a file; `nil` where there is
  /// no such call, the closure is none, or the file is not there.
  static func closure(of method: String, named name: String, in path: String, line: UInt32) -> [String]? {
    guard let text = contents(of: path) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard line > 0, line <= lines.count else { return nil }
    return closure(of: method, named: name, in: lines[Int(line - 1)...].joined(separator: "\n"))
  }

  /// The trailing closure of the first such call in a text.
  static func closure(of method: String, named name: String, in text: String) -> [String]? {
    var scanner = SwiftScanner(text)
    guard scanner.skip(past: ".\(method)("), let arguments = scanner.skipGroup(opened: "(", closed: ")"),
      arguments.contains(String(reflecting: name))
    else { return nil }
    scanner.skipSpace()
    guard scanner.skip("{"), let body = scanner.skipGroup(opened: "{", closed: "}") else { return nil }
    return dedented("{\(body)}")
  }

  /// The lines of a closure, its last one at the margin.
  private static func dedented(_ closure: String) -> [String] {
    let lines = closure.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let margin = lines.last?.prefix { $0 == " " }.count ?? 0
    return lines.enumerated().map { index, line in
      index == 0 ? line : String(line.dropFirst(min(margin, line.prefix { $0 == " " }.count)))
    }
  }

  private static func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Walks through Swift source, past strings and comments.
private struct SwiftScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  /// - Returns: whether `text` was there.
  mutating func skip(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }

  mutating func skip(past text: String) -> Bool {
    while !rest.isEmpty {
      if skip(text) { return true }
      _ = takeToken()
    }
    return false
  }

  mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }

  /// Goes past the end of a group whose beginning was skipped.
  ///
  /// - Returns: what is in the group; `nil` if it does not end.
  mutating func skipGroup(opened: Character, closed: Character) -> String? {
    var (depth, taken) = (1, "")
    while !rest.isEmpty {
      let token = takeToken()
      if token == String(opened) { depth += 1 }
      if token == String(closed) { depth -= 1 }
      if depth == 0 { return taken }
      taken += token
    }
    return nil
  }

  /// Takes a string, a comment or a character.
  private mutating func takeToken() -> String {
    if rest.hasPrefix("\"\"\"") { return take(through: "\"\"\"") }
    if rest.hasPrefix("\"") { return take(through: "\"") }
    if rest.hasPrefix("//") { return String(takeLine()) }
    return String(rest.removeFirst())
  }

  private mutating func takeLine() -> Substring {
    let line = rest.prefix { $0 != "\n" }
    rest = rest[line.endIndex...]
    return line
  }

  /// Takes a string with its delimiters, and with what is escaped in it.
  private mutating func take(through delimiter: String) -> String {
    var taken = delimiter
    rest.removeFirst(delimiter.count)
    while !rest.isEmpty {
      if skip(delimiter) { return taken + delimiter }
      let character = rest.removeFirst()
      taken.append(character)
      guard character == "\\", let escaped = rest.first else { continue }
      rest.removeFirst()
      taken.append(escaped)
      if escaped == "(", let inner = skipGroup(opened: "(", closed: ")") { taken += inner + ")" }
    }
    return taken
  }
}
