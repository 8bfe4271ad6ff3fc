import Foundation
import MillraceSpelling
import MillraceTrace

/// Writes answers, in colours only to a terminal and if `NO_COLOR` is not set.
enum Terminal {
  private static let isColoured =
    isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty

  static func text(of answer: TraceAnswer) -> String {
    answer.text { text, isHeading in
      let visible = Spelling.visible(text)
      return isHeading && isColoured ? "\u{1B}[1m\(visible)\u{1B}[0m" : visible
    }
  }

  static func warn(_ text: String) {
    FileHandle.standardError.write(Data("millrace: \(Spelling.visible(text))\n".utf8))
  }
}
