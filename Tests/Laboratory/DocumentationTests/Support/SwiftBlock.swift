/// A block of Swift that the documentation shows.
struct SwiftBlock: Sendable, Equatable {
  let path: String
  /// The line of its opening fence, counted from 1.
  let line: Int
  /// Its lines, normalised.
  let lines: [String]

  /// The blocks of a Markdown page.
  static func inMarkdown(_ file: Repository.File) -> [SwiftBlock] {
    blocks(in: file.text.lines, of: file)
  }

  /// The blocks in the doc comments of a source file.
  static func inDocComments(_ file: Repository.File) -> [SwiftBlock] {
    let lines = file.text.lines.map { line in
      let line = line.trimmed
      return line.hasPrefix("///") ? String(line.dropFirst(3)) : ""
    }
    return blocks(in: lines, of: file)
  }

  private static func blocks(in lines: [String], of file: Repository.File) -> [SwiftBlock] {
    var blocks: [SwiftBlock] = []
    var fence: (start: Int, isSwift: Bool)?
    for (index, line) in lines.enumerated() {
      let line = line.trimmed
      guard line.hasPrefix("```") else { continue }
      if let opened = fence {
        if opened.isSwift {
          let body = lines[(opened.start + 1)..<index].joined(separator: "\n")
          blocks.append(
            SwiftBlock(path: file.path, line: opened.start + 1, lines: body.normalisedLines))
        }
        fence = nil
      } else {
        fence = (index, line.dropFirst(3).trimmed == "swift")
      }
    }
    return blocks
  }
}

extension StringProtocol {
  /// Without white space at either end.
  var trimmed: String {
    let tail = drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)
    return String(tail.reversed())
  }
}

extension String {
  var lines: [String] {
    split(separator: "\n" as Character, omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines that are not blank, each without indentation and with single spaces.
  var normalisedLines: [String] {
    lines.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
  }
}
