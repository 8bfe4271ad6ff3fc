import MillraceDescriptors

/// The source text of a property's closure, so that a printed test can state the same property.
struct PropertySource {
  /// The lines of the closure.
  let closure: [String]
  /// Declarations of the local constants that the closure uses.
  let constants: [String]
  /// Other names that the closure uses and that are declared outside of it.
  let names: [String]

  /// Finds the trailing closure of a call such as `.always("its name") { … }` at or after a line of a file. `nil` if
  /// the file cannot be read, or if it has no such call with a trailing closure.
  init?(of method: String, named name: String, in path: String, line: UInt32) {
    guard let text = Self.contents(of: path) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard line > 0, line <= lines.count else { return nil }
    self.init(
      of: method, named: name, in: lines[Int(line - 1)...].joined(separator: "\n"),
      after: lines[..<Int(line - 1)].map(String.init))
  }

  /// Finds the trailing closure of the first call of this method with this name in a text.
  ///
  /// - Parameter lines: the lines before the text.
  init?(of method: String, named name: String, in text: String, after lines: [String] = []) {
    var scanner = SwiftScanner(text)
    while scanner.skip(past: ".\(method)(") {
      var arguments = scanner
      arguments.skipSpace()
      guard let literal = arguments.takeString() else { continue }
      guard SwiftScanner.value(of: literal) == name else { continue }
      guard scanner.skipGroup(opened: "(", closed: ")") != nil else { return nil }
      scanner.skipSpace()
      guard scanner.skip("{"), let body = scanner.skipGroup(opened: "{", closed: "}") else { return nil }
      var scope = DeclaredNames(lines)
      scope.use(body)
      closure = Self.dedented("{\(body)}")
      (constants, names) = (scope.constants, scope.others)
      return
    }
    return nil
  }

  /// The lines of a closure, unindented so that the last one starts at column 0.
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

/// Finds the names of a closure that are declared in the lines before it.
private struct DeclaredNames {
  private(set) var constants: [String] = []
  private(set) var others: [String] = []
  private let lines: [String]
  private var seen: Set<String> = []

  init(_ lines: [String]) { self.lines = lines }

  /// Looks up every name in a piece of source, except names of members and labels.
  mutating func use(_ source: String) {
    var scanner = SwiftScanner(source)
    while let word = scanner.takeWord() {
      if seen.insert(word).inserted { declare(word) }
    }
  }

  /// Finds the nearest line that declares a name. A one-line constant of the enclosing function is copied into the
  /// test.
  private mutating func declare(_ name: String) {
    let local = (lines.lastIndex { Self.words(of: $0).contains("func") } ?? -1) + 1
    for (index, line) in lines.enumerated().reversed() {
      let words = Self.words(of: line)
      let isNamed = words.indices.dropFirst().contains { index in
        words[index] == name && Self.declaring.contains(words[index - 1])
      }
      let isParameter = index == local - 1 && words.contains("func") && line.contains("\(name):")
      if !isNamed, !isParameter { continue }
      let statement = line.drop { $0 == " " }
      if index >= local, statement.hasPrefix("let \(name)"), SwiftScanner.isWhole(String(statement)) {
        use(String(statement.drop { $0 != "=" }))
        constants.append(String(statement))
      } else {
        others.append(name)
      }
      return
    }
  }

  private static let declaring: Set<String> = [
    "let", "var", "func", "struct", "enum", "class", "actor", "typealias", "protocol",
  ]

  private static func words(of line: String) -> [String] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }
}

/// Scans Swift source, skipping strings, regular expressions and comments.
private struct SwiftScanner {
  private let text: String
  private var rest: Substring

  init(_ text: String) { (self.text, rest) = (text, text[...]) }

  /// - Returns: whether `text` came next.
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

  /// Skips to the end of a group whose opening character is already skipped.
  ///
  /// - Returns: the contents of the group; `nil` if it does not end.
  mutating func skipGroup(opened: Character, closed: Character) -> String? {
    let start = rest.startIndex
    var depth = 1
    while !rest.isEmpty {
      let token = takeToken()
      if token == String(opened) { depth += 1 }
      if token == String(closed) { depth -= 1 }
      if depth == 0 { return String(text[start..<rest.startIndex].dropLast()) }
    }
    return nil
  }

  /// The next name that is neither a member's name nor a label; `nil` at the end.
  mutating func takeWord() -> String? {
    while let first = rest.first {
      let isMember = text[..<rest.startIndex].last == "."
      if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest[word.endIndex...]
        if !isMember, rest.first != ":" { return String(word) }
      } else {
        _ = takeToken()
      }
    }
    return nil
  }

  /// Whether every group that begins in a piece of source also ends there.
  static func isWhole(_ text: String) -> Bool {
    var scanner = SwiftScanner(text)
    var depth = 0
    while !scanner.rest.isEmpty {
      let token = scanner.takeToken()
      if ["(", "[", "{"].contains(token) { depth += 1 }
      if [")", "]", "}"].contains(token) { depth -= 1 }
    }
    return depth == 0 && !text.hasSuffix("=")
  }

  /// The text of a string literal; `nil` if the literal has an interpolation.
  static func value(of literal: String) -> String? {
    let hashes = literal.prefix { $0 == "#" }.count
    var rest = literal.dropFirst(hashes + 1).dropLast(hashes + 1)
    var value = ""
    let escape = "\\" + String(repeating: "#", count: hashes)
    let known: [Character: String] = ["n": "\n", "t": "\t", "r": "\r", "0": "\0"]
    while !rest.isEmpty {
      guard rest.hasPrefix(escape) else {
        value.append(rest.removeFirst())
        continue
      }
      rest.removeFirst(escape.count)
      guard let escaped = rest.popFirst(), escaped != "(" else { return nil }
      if escaped == "u" {
        let digits = rest.dropFirst().prefix { $0 != "}" }
        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
        value.unicodeScalars.append(scalar)
        rest = rest.dropFirst(digits.count + 2)
      } else {
        value += known[escaped] ?? String(escaped)
      }
    }
    return value
  }

  // MARK: Tokens

  /// Takes a string, a regular expression, a comment or a character.
  private mutating func takeToken() -> String {
    if rest.hasPrefix("//") { return take(rest.prefix { $0 != "\n" }) }
    if rest.hasPrefix("/*") { return takeComment() }
    return takeString() ?? takeExpression() ?? String(rest.removeFirst())
  }

  private mutating func take(_ part: Substring) -> String {
    rest = rest[part.endIndex...]
    return String(part)
  }

  private mutating func takeComment() -> String {
    let start = rest.startIndex
    var depth = 0
    repeat {
      if skip("/*") { depth += 1 } else if skip("*/") { depth -= 1 } else { rest.removeFirst() }
    } while depth > 0 && !rest.isEmpty
    return String(text[start..<rest.startIndex])
  }

  /// Takes a string literal with its delimiters and escapes.
  mutating func takeString() -> String? {
    let hashes = String(rest.prefix { $0 == "#" })
    let quotes = rest.dropFirst(hashes.count)
    guard quotes.hasPrefix("\"") else { return nil }
    let quote = quotes.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    let (start, escape) = (rest.startIndex, "\\" + hashes)
    rest.removeFirst(hashes.count + quote.count)
    while !rest.isEmpty, !skip(quote + hashes) {
      guard skip(escape) else {
        rest.removeFirst()
        continue
      }
      if skip("(") { _ = skipGroup(opened: "(", closed: ")") } else { _ = rest.popFirst() }
    }
    return String(text[start..<rest.startIndex])
  }

  /// Takes a regular expression literal. A slash begins one only where no operator can stand.
  private mutating func takeExpression() -> String? {
    let hashes = String(rest.prefix { $0 == "#" })
    guard rest.dropFirst(hashes.count).hasPrefix("/") else { return nil }
    if hashes.isEmpty {
      let before = text[..<rest.startIndex].reversed().drop { $0 == " " }
      let isOperand = before.first.map { $0.isLetter || $0.isNumber || ")]}\"_?!.".contains($0) } ?? false
      let word = String(before.prefix { $0.isLetter }.reversed())
      if isOperand, !["in", "return", "try", "await", "case"].contains(word) { return nil }
      if rest.dropFirst().first?.isWhitespace != false { return nil }
    }
    var scanner = self
    scanner.rest.removeFirst(hashes.count + 1)
    while let character = scanner.rest.first, hashes.count > 0 || character != "\n" {
      if scanner.skip("/" + hashes) {
        defer { self = scanner }
        return String(text[rest.startIndex..<scanner.rest.startIndex])
      }
      scanner.rest.removeFirst()
      if character == "\\" { _ = scanner.rest.popFirst() }
    }
    return nil
  }
}
