/// Gives headings of Markdown the anchors that GitHub gives them.
struct HeadingSlugs {
  private var counts: [Fragment: Int] = [:]

  /// The anchors of the next heading of a page: its slug, numbered if it has been given before, and one that is
  /// written behind it as `{#anchor}`.
  mutating func anchors(of heading: String) -> Set<Fragment> {
    var text = heading
    var anchors: Set<Fragment> = []
    if let match = text.firstMatch(of: /\s*\{#([^}]+)\}$/) {
      anchors.insert(Fragment(String(match.1)))
      text = String(text[..<match.range.lowerBound])
    }
    let slug = Self.slug(text)
    let count = counts[Fragment(slug), default: 0]
    counts[Fragment(slug)] = count + 1
    anchors.insert(Fragment(count == 0 ? slug : "\(slug)-\(count)"))
    return anchors
  }

  /// `The *second* [part](x.md)!` becomes `the-second-part`. A part left out at an end leaves its space there, so
  /// that `🚀 Go` becomes `-go`.
  static func slug(_ heading: String) -> String {
    var slug = String.UnicodeScalarView()
    for scalar in HeadingText.plain(heading.trimmed).lowercased().unicodeScalars {
      if scalar == " " {
        slug.append("-")
      } else if isKept(scalar) {
        slug.append(scalar)
      }
    }
    return String(slug)
  }

  /// Letters with their marks, decimal digits, hyphens, and what connects words.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: scalar == "-"
    }
  }
}
