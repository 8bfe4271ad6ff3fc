import LinkcheckReaders

func fuzzMarkdown(_ bytes: [UInt8]) {
  fuzzPage(.markdown, bytes, isArticle: false)
  fuzzPage(.markdown, bytes, isArticle: true)
}

func fuzzHTML(_ bytes: [UInt8]) {
  fuzzPage(.html, bytes, isArticle: false)
  fuzzPage(.xhtml, bytes, isArticle: false)
}

func fuzzCSS(_ bytes: [UInt8]) { fuzzPage(.css, bytes, isArticle: false) }

/// A page's links and anchors are the same in any parts, and its lines ascend.
private func fuzzPage(_ markup: Markup, _ bytes: [UInt8], isArticle: Bool) {
  let whole = markup.document(of: TextEncoding.utf8.utf8(bytes), isArticle: isArticle)
  var reader = PartReader(markup, .utf8, isArticle: isArticle)
  for part in cut(bytes) { reader.take(part, isLast: false) }
  reader.take([], isLast: true)
  let parts = reader.document
  check(parts.links == whole.links, "parts give the links \(parts.links), the whole \(whole.links)")
  check(parts.anchors == whole.anchors, "parts give the anchors \(parts.anchors), the whole \(whole.anchors)")
  check(parts == whole, "parts give another page")
  let lineCount = bytes.reduce(1) { $1 == 10 || $1 == 13 ? $0 + 1 : $0 }
  check(whole.links.allSatisfy { (1...lineCount).contains($0.line) }, "a link on no line of the page")
}
