import Foundation
import MillraceSpelling
import MillraceTrace

/// Writes answers, in colours only to a terminal and if `NO_COLOR` is not set.
enum Terminal {
  private static let isColoured =
    isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

  static func text(of answer: TraceAnswer) -> String {
    answer.sections.map { section in
      let heading = Spelling.visible(section.heading)
      return
        ([isColoured ? "\u{1B}[1m\(heading)\u{1B}[0m" : heading]
        + section.lines.map { "  " + Spelling.visible($0) }).joined(separator: "\n")
    }
    .joined(separator: "\n\n")
  }

  static func warn(_ text: String) {
    FileHandle.standardError.write(Data("millrace: \(Spelling.visible(text))\n".utf8))
  }
}
