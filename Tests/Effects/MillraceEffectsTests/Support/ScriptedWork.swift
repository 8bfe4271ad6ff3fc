import Millrace
import MillraceTesting

/// An effect whose runs take a while on a test clock and then go as they are told. Its requests are letters; it sends
/// the letter of a request that it has served, and the capital of one that has failed.
struct ScriptedWork: EffectComponent {
  struct Failed: Error, Equatable {}

  /// Which of all runs, counted from 1, fail.
  var failing: Set<Int> = []
  /// How many seconds a run takes.
  var takes = 0
  let clock = TestClock()
  let begun = Recorder<Character>()

  func requests(in letters: Set<Character>) -> Set<Character> { letters }

  func run(_ letter: Character, send: Send<Character>) async throws(Failed) {
    begun.append(letter)
    let number = begun.count
    do { try await clock.sleep(for: .seconds(takes)) } catch { return }
    if failing.contains(number) { throw Failed() }
    await send(letter)
  }

  func action(for failure: Failed, of letter: Character) -> Character { Character(letter.uppercased()) }
}

/// An effect with one run, to which the letters that are asked for are handed over. It notes each that it is given and
/// sends it when it has been served, until it is stopped or is given an `z`.
struct ScriptedFeed: HandoverEffectComponent {
  typealias Action = Character

  /// Which of all values, counted from 1, end their run with a failure.
  var failing: Set<Int> = []
  /// How many seconds each takes.
  var takes = 0
  let clock = TestClock()
  let begun = Recorder<Character>()

  func id(of letter: Character) -> Int { 0 }

  func requests(in letters: Set<Character>) -> Set<Character> { letters }

  func run(
    following letters: RequestUpdates<Character>, send: Send<Character>
  ) async throws(ScriptedWork.Failed) {
    for await letter in letters {
      begun.append(letter)
      let number = begun.count
      do { try await clock.sleep(for: .seconds(takes)) } catch { return }
      if failing.contains(number) { throw ScriptedWork.Failed() }
      await send(letter)
      if letter == "z" { return }
    }
  }

  func action(for failure: ScriptedWork.Failed, of letter: Character) -> Character {
    Character(letter.uppercased())
  }
}

/// What both have in common.
protocol Scripted: EffectComponent
where State == Set<Character>, Request == Character, Action == Character, Failure == ScriptedWork.Failed {
  var clock: TestClock { get }
  var begun: Recorder<Character> { get }
}

extension ScriptedWork: Scripted {}
extension ScriptedFeed: Scripted {}
