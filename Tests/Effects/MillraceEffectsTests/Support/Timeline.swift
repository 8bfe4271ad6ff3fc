import Millrace
import MillraceTesting
import Testing

/// A picture of what an effect makes of what the state asks for. Every character is a second:
///
///     asks:   "a-b---.-"    asked for from now on: a, then b instead, then nothing
///     begins: "a--b----"    a run of the effect within begins
///     sends:  "--a--b--"    what is sent
///
/// Several at once stand in brackets, as in `[ab]`. Within a second, what the clock brings about comes first, then what
/// is asked for changes. Dashes at the end may be left out.
struct Timeline {
  let asks: String
  let begins: String
  let sends: String

  /// Plays what is asked for to `scripted` with policies around it, and holds what comes of it against the picture.
  ///
  /// - Parameter serving: Whether what has been sent leaves what is asked for, as in a program that has served it.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func check<Base: Scripted, Effect: EffectComponent>(
    _ scripted: Base, serving: Bool = false, location: SourceLocation = #_sourceLocation,
    _ policies: (Base) -> Effect
  ) where Effect.State == Set<Character>, Effect.Request == Character, Effect.Action == Character {
    let (executor, sent) = (ManualExecutor(), Recorder<Character>())
    let stage = Stage(policies(scripted), on: executor) { _, action in sent.append(action) }
    var (asked, begun, reported): (Set<Character>, [[Character]], [[Character]]) = ([], [], [])
    var (begunCount, sentCount) = (0, 0)
    for (second, change) in Self.seconds(of: asks).enumerated() {
      if second > 0 { scripted.clock.advance(by: .seconds(1)) }
      executor.drain()
      if serving {
        asked.subtract(sent.values)
        stage.ask(for: asked)
      }
      if !change.isEmpty {
        asked = Set(change).subtracting(["."])
        stage.ask(for: asked)
      }
      begun.append(Array(scripted.begun.values[begunCount...]))
      reported.append(Array(sent.values[sentCount...]))
      (begunCount, sentCount) = (scripted.begun.count, sent.count)
    }
    #expect(Self.picture(of: begun) == Self.normalised(begins), "begins", sourceLocation: location)
    #expect(Self.picture(of: reported) == Self.normalised(sends), "sends", sourceLocation: location)
    stage.ask(for: [])
    #expect(
      scripted.clock.sleepers.isEmpty, "nobody sleeps when nothing is asked for", sourceLocation: location)
    #expect(stage.bodyCount == 0, "every run has returned", sourceLocation: location)
  }

  /// What stands in each second; nothing for a dash.
  private static func seconds(of picture: String) -> [[Character]] {
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

  private static func picture(of seconds: [[Character]]) -> String {
    let picture = seconds.map { $0.isEmpty ? "-" : $0.count == 1 ? String($0) : "[\(String($0.sorted()))]" }
    // How long it stays quiet in the end says nothing.
    return String(picture.joined().reversed().drop { $0 == "-" }.reversed())
  }

  private static func normalised(_ text: String) -> String { picture(of: seconds(of: text)) }
}
