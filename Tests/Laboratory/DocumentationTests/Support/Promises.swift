/// The promises as the page states them, and the tests as their names tell.
struct Promises: Sendable {
  /// The numbers that the page states, in its order.
  let stated: [String]

  init(page: String) {
    stated = page.lines.compactMap { line in
      guard line.hasPrefix("- **"), let end = line.dropFirst(4).firstIndex(of: "*") else { return nil }
      let number = String(line.dropFirst(4)[..<end])
      return Self.isNumber(number) ? number : nil
    }
  }

  /// The number at the beginning of a test's name, if it carries one.
  static func number(ofTest name: String) -> String? {
    guard let end = name.firstIndex(of: ":") else { return nil }
    let number = String(name[..<end])
    return isNumber(number) ? number : nil
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let group = text.first, "RCEDL".contains(group), text.count > 1 else { return false }
    return text.dropFirst().allSatisfy(\.isNumber)
  }

  /// The names of the tests in a source file.
  static func testNames(in source: String) -> [String] {
    let pieces = source.normalisedLines.joined(separator: " ")
      .split(separator: "@Test(", omittingEmptySubsequences: false)
    return pieces.dropFirst().compactMap { rest in
      let rest = rest.drop(while: \.isWhitespace)
      guard rest.first == "\"" else { return nil }
      return rest.dropFirst().split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
    }
  }
}
