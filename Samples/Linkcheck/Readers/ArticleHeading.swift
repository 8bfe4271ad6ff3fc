extension Fragment {
  /// The anchor that DocC gives a heading: `What's new in 1.2?` becomes `Whats-new-in-12`. A link may use either form.
  /// It is equal to no anchor of another kind.
  package init(ofArticleHeading heading: some StringProtocol) {
    var words: [String] = []
    var word = ""
    for scalar in heading.unicodeScalars {
      if scalar.properties.isWhitespace || "-–—".unicodeScalars.contains(scalar) {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    if !word.isEmpty { words.append(word) }
    let kept = words.joined(separator: "-").unicodeScalars.filter { $0 == "-" || !Self.isPunctuation($0) }
    self.init(prefix: "doc:", String(String.UnicodeScalarView(kept)))
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: scalar == "`"
    }
  }
}
