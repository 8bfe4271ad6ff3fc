extension Fragment {
  /// The anchor that DocC gives a heading: `What's new in 1.2?` is `Whats-new-in-12`. A link may write it in either
  /// form. In one set with other anchors it is equal to none of them.
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

/// The symbols that articles of a DocC catalogue name.
enum ArticleSymbols {
  /// The types in ``` ``Store`` ``` and ``` ``Store/send(_:)`` ```.
  static func named(in prose: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    var rest = prose[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "`")) {
      let marks = rest[start...].prefix { $0 == UInt8(ascii: "`") }
      rest = rest[marks.endIndex...]
      guard marks.count == 2 else { continue }
      let inside = rest.prefix { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\n") }
      for part in inside.split(separator: UInt8(ascii: "/")) {
        names.insert(String(decoding: part, as: UTF8.self))
      }
      rest = rest[inside.endIndex...].drop { $0 == UInt8(ascii: "`") }
    }
    return names
  }
}
