extension Spelling {
  /// A string as a Swift literal in which every character is visible. Unusual spaces, characters without a shape, and
  /// combining marks without a letter are spelled as code points: `"a\u{A0}b"`.
  ///
  /// - Parameter escapingEmoji: whether to escape the characters that join emojis or choose their shape, too.
  package static func quoted(_ text: String, escapingEmoji: Bool = false) -> String {
    var quoted = "\""
    quoted.reserveCapacity(text.utf8.count + 2)
    var before: Unicode.Scalar?  // what the next scalar may be joined to
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n", "\r", "\t": quoted += escape(scalar)
      case "\0": quoted += "\\0"
      case " "..."~": quoted.unicodeScalars.append(scalar)
      default:
        if isSeen(scalar, after: before, escapingEmoji) {
          quoted.unicodeScalars.append(scalar)
        } else {
          quoted += escape(scalar)
          before = nil
          continue
        }
      }
      before = scalar == " " ? nil : scalar
    }
    return quoted + "\""
  }

  private static func isSeen(
    _ scalar: Unicode.Scalar, after before: Unicode.Scalar?, _ escapingEmoji: Bool
  ) -> Bool {
    let properties = scalar.properties
    if scalar == "\u{200D}" || scalar == "\u{FE0E}" || scalar == "\u{FE0F}" {
      let isJoining = before.map { !$0.isASCII && ($0.properties.isEmoji || $0 == "\u{FE0F}") } ?? false
      return isJoining && !escapingEmoji
    }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      return false
    case .nonspacingMark, .enclosingMark, .spacingMark:
      return before != nil && !properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }
}
