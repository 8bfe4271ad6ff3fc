/// An answer of the command `millrace`, as lines for people and as JSON for programs.
package struct TraceAnswer: Sendable {
  /// A heading with its lines.
  package struct Section: Sendable {
    package let heading: String
    package var lines: [String]
  }

  package var sections: [Section] = []
  package var json: JSON = [:]
  /// Whether the answer is negative: the thing does not exist, or two recordings differ.
  package var isNegative = false

  package init() {}

  /// An answer of one section.
  package init(_ heading: String, _ lines: [String], _ json: JSON, isNegative: Bool = false) {
    sections = [Section(heading: heading, lines: lines)]
    (self.json, self.isNegative) = (json, isNegative)
  }

  /// The answer as text.
  ///
  /// - Parameter spell: spells a heading or a line.
  package func text(_ spell: (_ text: String, _ isHeading: Bool) -> String = { text, _ in text }) -> String {
    sections.map { section in
      ([spell(section.heading, true)] + section.lines.map { "  " + spell($0, false) }).joined(separator: "\n")
    }
    .joined(separator: "\n\n")
  }

  package mutating func add(_ heading: String, _ lines: [String]) {
    if !lines.isEmpty { sections.append(Section(heading: heading, lines: lines)) }
  }
}

/// Times in the form for people.
enum TimeText {
  /// A duration in microseconds.
  static func duration(_ micros: UInt64) -> String {
    switch micros {
    case 0..<1_000: "\(micros) µs"
    case 1_000..<1_000_000: "\(tenths(micros, 1_000)) ms"
    case 1_000_000..<120_000_000: "\(tenths(micros, 1_000_000)) s"
    default: "\(micros / 60_000_000) min \(micros / 1_000_000 % 60) s"
    }
  }

  private static func tenths(_ value: UInt64, _ unit: UInt64) -> String {
    let tenths = (value * 10 + unit / 2) / unit
    return tenths % 10 == 0 || tenths >= 1000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// A moment of a recording, in seconds since it began: `+12.345 s`.
  static func moment(_ micros: UInt64) -> String {
    "+\(micros / 1_000_000).\(String(1000 + micros / 1000 % 1000).dropFirst()) s"
  }
}

extension ActionLine {
  /// The action in the form for people, with its number and time.
  package var shortText: String {
    let text = payload.shortText(160)
    // A text includes the case.
    if case .text = self.payload { return "\(sequence) \(text)" }
    return "\(sequence) \(kind)" + (kind == text ? "" : "  \(text)")
  }
}

extension TraceHistory.Run {
  /// How the run ended, in words.
  package var ending: String {
    guard let end else { return "in progress" }
    return end.event.ending + (isOpen ? ", its body has not returned" : "")
  }

  /// The waits that have not ended. A wait is left out if a later one repeats its reason and says more.
  package var openWaits: [TraceHistory.Wait] {
    let open = waits.filter { $0.end == nil }
    return open.filter { outer in
      !open.contains { $0.number > outer.number && $0.reason.hasPrefix(outer.reason) }
    }
  }

  /// The action that made the run's request unwanted, if any.
  package var endedBy: UInt64? {
    switch end?.event {
    case .answer(let action), .withdraw(let action): action
    default: nil
    }
  }
}

extension TraceHistory.Serving {
  /// How the serving of this value ended, in words.
  var ending: String {
    guard let next else { return run.ending }
    return "got \(next.request.shortText(120))" + (next.by.map { " by action \($0)" } ?? "")
  }

  /// The action that made the value unwanted, if any.
  var endedBy: UInt64? { next?.by ?? run.endedBy }

  /// The run with its whole request, for text search.
  var searched: String { "\(run.label) (\(value.request.text))" }

  package var json: JSON {
    var json: JSON = [
      "run": .number(run.generation), "effect": .string(run.start.name), "request": value.request.json,
    ]
    json["startedBy"] = value.by.map { .number($0) }
    json["started"] = value.time.map { .number($0) }
    json["over"] = (next?.time ?? run.over?.time).map { .number($0) }
    json["ending"] = .string(ending)
    json["reduced"] = .number(run.reduced)
    json["fenced"] = .number(run.fenced)
    return json
  }
}
