import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct MappedEffectTests {
  @Test("timelines of mapped effects: identities, replacements and failures are those of the effect within")
  func timelines() {
    let reported = { @Sendable (letter: Character) -> Character in letter == "b" ? "!" : letter }
    ScriptedWork(failing: [1], takes: 1).plays("a--b-.", begins: "a--b", sends: "-A--!") {
      $0.mapped(reported)
    }
    ScriptedFeed().plays("ab-c", begins: "ab-c", sends: "a!-c") { $0.mapped(reported) }
  }
}
