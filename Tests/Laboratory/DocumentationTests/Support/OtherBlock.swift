/// A block of a page without a language: a file tree, a manifest, a picture, or code that is not compiled here.
struct OtherBlock: Sendable {
  /// The line of its opening fence, counted from 1.
  let line: Int
  let text: String
  /// The paragraph before it.
  let introduction: String

  /// Whether it is code, and not a manifest, which each reader's own build compiles.
  var isCode: Bool { text.contains("{") && !text.contains("swift-tools-version") }

  var isMarked: Bool { introduction.lowercased().contains("not compiled here") }

  static func inMarkdown(_ file: Repository.File) -> [OtherBlock] {
    var blocks: [OtherBlock] = []
    var fence: (line: Int, isOther: Bool)?
    var introduction = ""
    var body: [String] = []
    for (index, line) in file.text.lines.enumerated() {
      if line.trimmed.hasPrefix("```") {
        if let opened = fence {
          if opened.isOther {
            blocks.append(
              OtherBlock(
                line: opened.line, text: body.joined(separator: "\n"), introduction: introduction))
          }
          (fence, introduction) = (nil, "")
        } else {
          (fence, body) = ((index + 1, line.trimmed == "```"), [])
        }
      } else if fence != nil {
        body.append(line)
      } else if !line.trimmed.isEmpty {
        introduction = line
      }
    }
    return blocks
  }
}
