/// One line of the result.
struct Row: Sendable {
  let name: String
  var unit: String?
  var cost: Measurement?
  var baseline: [String] = []
  var ratio: Measurement?
  var target: Double?
}

/// Writes rows as text for people or as JSON for tools.
struct Report {
  let isJSON: Bool

  func header() {
    if isJSON { return }
    print(
      Self.padded("benchmark", to: 28), Self.padded("median", to: 10, right: true),
      Self.padded("min", to: 10, right: true), Self.padded("max", to: 10, right: true),
      " ", Self.padded("unit", to: 18), "ratio")
  }

  func write(_ row: Row) {
    print(isJSON ? Self.json(row) : Self.text(row))
  }

  // MARK: Text

  private static func text(_ row: Row) -> String {
    let costs = [row.cost?.median, row.cost?.min, row.cost?.max].map { cost in
      padded(cost.map(short) ?? "", to: 10, right: true)
    }
    return
      ([padded(row.name, to: 28)] + costs + [" ", padded(row.unit ?? "", to: 18), ratio(row)])
      .joined(separator: " ")
  }

  private static func ratio(_ row: Row) -> String {
    guard let ratio = row.ratio else { return "" }
    var text = "\(short(ratio.median)) (\(short(ratio.min))-\(short(ratio.max)))"
    if !row.baseline.isEmpty { text += " x \(row.baseline.joined(separator: " + "))" }
    if let target = row.target {
      text += ratio.median <= target ? ", within \(short(target))" : ", ABOVE \(short(target))"
    }
    return text
  }

  /// Three significant digits, never an exponent.
  private static func short(_ value: Double) -> String {
    let magnitude = abs(value)
    if magnitude >= 100 { return "\(Int(value.rounded()))" }
    let scale: Double = magnitude >= 10 ? 10 : magnitude >= 1 ? 100 : 1000
    return "\((value * scale).rounded() / scale)"
  }

  private static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return right ? padding + text : text + padding
  }

  // MARK: JSON

  private static func json(_ row: Row) -> String {
    var fields = [field("name", row.name)]
    if let unit = row.unit { fields.append(field("unit", unit)) }
    if let cost = row.cost {
      fields += [field("median", cost.median), field("min", cost.min), field("max", cost.max)]
    }
    if !row.baseline.isEmpty {
      let names = row.baseline.map { $0.replacing("baseline/", with: "") }
      fields.append(field("baseline", names.joined(separator: "+")))
    }
    if let ratio = row.ratio {
      fields += [
        field("ratio", ratio.median), field("ratioMin", ratio.min), field("ratioMax", ratio.max),
      ]
    }
    if let target = row.target { fields.append(field("target", target)) }
    return "{\(fields.joined(separator: ","))}"
  }

  // Names and units contain no characters that JSON escapes.
  private static func field(_ key: String, _ value: String) -> String { "\"\(key)\":\"\(value)\"" }

  private static func field(_ key: String, _ value: Double) -> String {
    "\"\(key)\":\((value * 10_000).rounded() / 10_000)"
  }
}
