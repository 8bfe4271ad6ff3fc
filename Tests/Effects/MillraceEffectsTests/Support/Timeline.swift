import Millrace
import MillraceTesting
import Testing

/// Pictures of what an effect makes of what the state asks for. Every character is a second:
///
///     asks:   "a-b---.-"    asked for from now on: a, then b instead, then nothing
///     begins: "a--b"        a run of the effect within begins
///     sends:  "--a--b"      what is sent; the same as what begins where it is left out
///
/// Several at once stand in brackets, as in `[ab]`. Within a second, what the clock brings about comes first, then what
/// is asked for changes. Dashes at the end of what begins and is sent may be left out.
extension Scripted {
  /// Plays what is asked for to this effect with policies around it, and holds what comes of it against the pictures.
  ///
  /// - Parameter serving: Whether what has been sent leaves what is asked for, as in a program that has served it.
  func plays<Effect: EffectComponent>(
    _ asks: String, begins: String, sends: String? = nil, serving: Bool = false,
    location: SourceLocation = #_sourceLocation, _ policies: (Self) -> Effect
  ) where Effect.State == Set<Character>, Effect.Request == Character, Effect.Action == Character {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let (executor, sent) = (ManualExecutor(), Recorder<Character>())
    let stage = Stage(policies(self), on: executor) { _, action in sent.append(action) }
    var (asked, begunThen, sentThen): (Set<Character>, [[Character]], [[Character]]) = ([], [], [])
    for (second, change) in Picture.seconds(of: asks).enumerated() {
      let (begunCount, sentCount) = (begun.count, sent.count)
      if second > 0 { clock.advance(by: .seconds(1)) }
      executor.drain()
      if serving {
        asked.subtract(sent.values)
        stage.ask(for: asked)
      }
      if !change.isEmpty {
        asked = Set(change).subtracting(["."])
        stage.ask(for: asked)
      }
      begunThen.append(Array(begun.values[begunCount...]))
      sentThen.append(Array(sent.values[sentCount...]))
    }
    #expect(Picture.of(begunThen) == Picture.normalised(begins), "begins", sourceLocation: location)
    #expect(Picture.of(sentThen) == Picture.normalised(sends ?? begins), "sends", sourceLocation: location)
    stage.ask(for: [])
    #expect(clock.sleepers.isEmpty, "nobody sleeps when nothing is asked for", sourceLocation: location)
    #expect(stage.bodyCount == 0, "every run has returned", sourceLocation: location)
  }
}

private enum Picture {
  /// What stands in each second; nothing for a dash.
  static func seconds(of picture: String) -> [[Character]] {
    var (seconds, group): ([[Character]], [Character]?) = ([], nil)
    for character in picture {
      switch character {
      case "[": group = []
      case "]":
        seconds.append(group ?? [])
        group = nil
      case "-": seconds.append([])
      default: if group == nil { seconds.append([character]) } else { group?.append(character) }
      }
    }
    return seconds
  }

  static func of(_ seconds: [[Character]]) -> String {
    let picture = seconds.map { $0.isEmpty ? "-" : $0.count == 1 ? String($0) : "[\(String($0.sorted()))]" }
    // How long it stays quiet in the end says nothing.
    return String(picture.joined().reversed().drop { $0 == "-" }.reversed())
  }

  static func normalised(_ text: String) -> String { of(seconds(of: text)) }
}
