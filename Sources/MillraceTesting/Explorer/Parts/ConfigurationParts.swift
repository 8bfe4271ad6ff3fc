import Millrace

/// Configurations, taken apart into what the effects of each declared part have decided.
struct ConfigurationParts<Action: Sendable> {
  private struct Contents: Hashable {
    var effects: [EffectContents] = []
    var timing = Timing()
  }

  let division: Division<Action>
  private var numbers: [[Contents: Int32]]
  /// The configurations, by the numbers of their parts.
  private(set) var configurations: [[Int32]: Int32] = [:]

  init(_ division: Division<Action>) {
    self.division = division
    numbers = Array(repeating: [:], count: division.count)
  }

  /// The number of what the effects of each part have decided.
  ///
  /// - Parameter configuration: the number of the whole.
  mutating func numbers(
    of effects: [SavedMoment.Effect], _ timing: Timing, in configuration: Int32
  ) -> [Int32] {
    var contents = Array(repeating: Contents(), count: division.count)
    for effect in effects {
      guard let part = division.part(of: effect.contents.connection) else { continue }
      contents[part].effects.append(effect.contents)
      if timing.isEmpty { continue }
      for key in effect.runs.map(Timing.Key.init) { contents[part].timing.runs[key] = timing.runs[key] }
      for (key, entrance) in timing.entrances where key.place == effect.place {
        contents[part].timing.entrances[key] = entrance
      }
    }
    let found = contents.indices.map { number(of: contents[$0], of: $0) }
    configurations[found] = configuration
    return found
  }

  private mutating func number(of contents: Contents, of part: Int) -> Int32 {
    if let number = numbers[part][contents] { return number }
    let number = Int32(numbers[part].count)
    numbers[part][contents] = number
    return number
  }
}
