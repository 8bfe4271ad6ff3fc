/// Computes the anchors that GitHub gives to headings of Markdown.
struct HeadingSlugs {
  /// The number of times that each anchor was numbered, including anchors of other headings.
  private var counts: [Fragment: Int] = [:]

  /// The anchor of the page's next heading, by its text: its slug, with a number if the slug is taken.
  mutating func anchor(of text: some StringProtocol) -> Fragment {
    let slug = Self.slug(text)
    let first = Fragment(slug)
    var anchor = first
    while counts[anchor] != nil {
      counts[first, default: 0] += 1
      anchor = Fragment("\(slug)-\(counts[first] ?? 0)")
    }
    counts[anchor] = 0
    return anchor
  }

  /// The slug of a text: `the-second-part` for `The second part!`. If a character at an end is left out, its space
  /// stays, so that `🚀 Go` becomes `-go`.
  static func slug(_ text: some StringProtocol) -> String {
    var slug = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if scalar == " " {
        slug.append("-")
      } else if isKept(scalar) {
        slug.append(scalar)
      }
    }
    return String(slug)
  }

  /// Whether a character is kept: letters with their marks, digits and letter-like numbers, hyphens, and connectors.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
      true
    case .surrogate: false
    default: scalar == "-" || scalar.properties.isAlphabetic
    }
  }
}
