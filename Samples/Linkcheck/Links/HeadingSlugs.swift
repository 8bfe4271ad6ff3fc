/// Gives headings of Markdown the anchors that GitHub gives them.
struct HeadingSlugs {
  private var counts: [String: Int] = [:]

  /// The anchors of the next heading of a page: its slug, numbered if it has been given before, and one that is
  /// written behind it as `{#anchor}`.
  mutating func anchors(of heading: String) -> Set<String> {
    var text = heading
    var anchors: Set<String> = []
    if let match = text.firstMatch(of: /\s*\{#([^}]+)\}$/) {
      anchors.insert(String(match.1))
      text = String(text[..<match.range.lowerBound])
    }
    let slug = Self.slug(text)
    let count = counts[slug, default: 0]
    counts[slug] = count + 1
    anchors.insert(count == 0 ? slug : "\(slug)-\(count)")
    return anchors
  }

  /// `The *second* [part](x.md)!` becomes `the-second-part`. What is left out at an end leaves its space there, so
  /// that `🚀 Go` becomes `-go`.
  static func slug(_ heading: String) -> String {
    var slug = ""
    for character in plainText(heading.trimmed).lowercased() {
      if character == " " {
        slug.append("-")
      } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
        slug.append(character)
      }
    }
    return slug
  }

  /// Without images, the destinations of links, tags, and underscores that are emphasis.
  private static func plainText(_ heading: String) -> String {
    var text = heading
    if text.contains("[") {
      text = text.replacing(/!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])/, with: "")
      text = text.replacing(/\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/) { String($0.1) }
    }
    if text.contains("<") { text = text.replacing(/<\/?[A-Za-z][^>]*>/, with: "") }
    let characters = Array(CharacterReferences.decoded(text))
    var plain = ""
    var isCode = false
    for (index, character) in characters.enumerated() {
      if character == "`" { isCode.toggle() }
      let before = index > 0 ? characters[index - 1] : " "
      let after = index + 1 < characters.count ? characters[index + 1] : " "
      let isInWord = isWord(before) && isWord(after)
      if character != "_" || isInWord || isCode { plain.append(character) }
    }
    return plain
  }

  private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
