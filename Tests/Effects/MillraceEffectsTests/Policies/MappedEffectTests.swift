import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct MappedEffectTests {
  @Test("what is sent and what failures become are sent as what is made of them")
  func actions() async {
    let store = Store<[String], String>(initialState: [], on: .immediate) { lines, line in lines.append(line)
    }
    store.connect(LettersEffect().mapped { "<\($0)>" }, to: \.isEmpty)
    await store.settled()
    #expect(Set(store.state) == ["<a>", "<B>"])
  }

  private struct LettersEffect: EffectComponent {
    struct Failed: Error {}
    func requests(in isEmpty: Bool) -> Set<Character> { ["a", "b"] }
    func run(_ letter: Character, send: Send<Character>) async throws(Failed) {
      if letter == "b" { throw Failed() }
      await send(letter)
    }
    func action(for failure: Failed, of letter: Character) -> Character { Character(letter.uppercased()) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of mapped effects: identities, replacements and failures are those of the effect within")
  func timelines() {
    let reported = { @Sendable (letter: Character) -> Character in letter == "b" ? "!" : letter }
    Timeline(
      asks: "a--b-.",
      begins: "a--b--",
      sends: "-A--!-"
    ).check(ScriptedWork(failing: [1], takes: 1)) { $0.mapped(reported) }
    Timeline(
      asks: "ab-c",
      begins: "ab-c",
      sends: "a!-c"
    ).check(ScriptedFeed()) { $0.mapped(reported) }
  }
}
