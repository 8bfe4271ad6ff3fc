/// Gives headings of Markdown the anchors that GitHub gives them.
struct HeadingSlugs {
  /// How often each anchor has been given a number; those of other headings count as well.
  private var counts: [Fragment: Int] = [:]

  /// The anchor of the next heading of a page, by its text: its slug, numbered if that is taken.
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

  /// `The second part!` becomes `the-second-part`. A part left out at an end leaves its space there, so that `🚀 Go`
  /// becomes `-go`.
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

  /// Letters with their marks, numbers that are digits or letters, hyphens, and what connects words.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
      true
    case .surrogate: false
    default: scalar == "-" || scalar.properties.isAlphabetic
    }
  }
}
