import Foundation

extension Report {
  /// The report for people, one problem a line, in the form of compilers: `page:line: link: message`.
  var text: String {
    var lines = broken.map { Self.line($0, prefix: "") }
    lines += unchecked.map { Self.line($0, prefix: "not checked: ") }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// `37 pages, 120 links: 2 broken`
  var summary: String {
    var parts = [broken.isEmpty ? "none broken" : "\(broken.count) broken"]
    if !unchecked.isEmpty { parts.append("\(unchecked.count) not checked") }
    if skipped > 0 { parts.append("\(skipped) skipped") }
    return "\(Self.count(pages, "page")), \(Self.count(links, "link")): " + parts.joined(separator: ", ")
  }

  /// The report for programs.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return OneLine.json(String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
    }
  }

  private static func line(_ problem: Problem, prefix: String) -> String {
    let link = problem.link.isEmpty ? "" : problem.link + ": "
    return OneLine.text("\(problem.page):\(problem.line): \(prefix)\(link)\(problem.message)")
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
