import MillraceCollections
import Testing

@testable import timetravel

@Suite("Lanes of the time travel") struct LaneTests {
  /// The lanes after actions of the program.
  private func lanes(_ actions: TimeTravel.Action...) -> [String] {
    Drawing.lanes(of: program(actions))
  }

  private func program(_ actions: [TimeTravel.Action]) -> TimeTravel {
    actions.reduce(into: TimeTravel()) { TimeTravel.reduce(&$0, $1) }
  }

  @Test("a question is asked, runs and is answered")
  func answered() {
    #expect(
      lanes(.typed("find te"), .typed("add tea"), .change(.found("te", [])), .typed("add jam")) == [
        "steps        0  1  2  3 [4]",
        "search \"te\"  .  [=====]  .",
        "price tea    .  .  [=======",
        "price jam    .  .  .  .  [=",
      ])
  }

  @Test("a question that is withdrawn is stopped at its step, and asked anew later")
  func withdrawn() {
    #expect(
      lanes(.typed("add tea"), .typed("drop tea"), .typed("add tea"), .change(.priced("tea", .unknown))) == [
        "steps      0  1  2  3 [4]",
        "price tea  .  [==x  [==]",
      ])
  }

  @Test("looking back stops a question behind the newest step; it is asked again on return")
  func lookedBack() {
    let actions: [TimeTravel.Action] = [.typed("add tea"), .typed("find te"), .typed("<")]
    #expect(
      Drawing.lanes(of: program(actions)) == [
        "steps        0 [1] 2",
        "price tea    .  [===x",
        "search \"te\"  .  .  [x",
      ])
    #expect(
      Drawing.lanes(of: program(actions + [.typed("live")])) == [
        "steps        0  1 [2]",
        "price tea    .  [===x[",
        "search \"te\"  .  .  [x[",
      ])
    #expect(
      Drawing.lanes(of: program(actions + [.typed("live"), .change(.priced("tea", .unknown))])) == [
        "steps        0  1  2 [3]",
        "price tea    .  [===x[]",
        "search \"te\"  .  .  [x[==",
      ])
  }

  @Test("a branch asks again from the step that it begins at")
  func branch() {
    #expect(
      lanes(.typed("add tea"), .change(.priced("tea", .unknown)), .typed("<"), .typed("branch")) == [
        "steps      0 [1]",
        "price tea  .  [x[",
      ])
  }

  @Test(
    "of many steps those around the one in view are drawn, and lanes that have nothing there are left out")
  func window() {
    var actions = (1...40).map { TimeTravel.Action.typed("find \($0)") }
    actions.append(.typed("to 5"))
    let first = Drawing.lanes(of: program(actions))
    #expect(first[0].hasPrefix("steps        0   1   2   3   4  [5]  6"))
    #expect(first[0].hasSuffix(" 18  19"))
    #expect(first.count == 20)
    let last = Drawing.lanes(of: program(actions.dropLast()))
    #expect(last[0].hasPrefix("steps        21  22"))
    #expect(last[0].hasSuffix(" 39 [40]"))
  }

  @Test("stops are kept for steps of the line alone once there are many")
  func stops() {
    var program = TimeTravel()
    for _ in 1...1000 {
      for line in ["add tea", "drop tea", "<", "branch"] { TimeTravel.reduce(&program, .typed(line)) }
      #expect(program.stops.count <= program.list.limit + 2)
    }
    #expect(program.list.steps.count >= program.list.limit - 1)
  }
}
