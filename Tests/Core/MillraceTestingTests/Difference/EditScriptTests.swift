import Testing

@testable import MillraceTesting

@Suite("EditScript") struct EditScriptTests {
  private func script(_ old: String, _ new: String, limit: Int = 100) -> [EditScript.Hunk]? {
    let (old, new) = (Array(old), Array(new))
    return EditScript.shortest(old: 0..<old.count, new: 0..<new.count, limit: limit) { old[$0] == new[$1] }
  }

  @Test("more edits than the limit give no script") func limit() {
    #expect(script("abc", "xbc", limit: 1) == nil && script("abc", "xbc", limit: 2) != nil)
  }

  @Test("any sequence is made of any other in as few edits as the standard library needs", arguments: 1...200)
  func random(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func sequence() -> [Int] {
      (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
    }
    let (old, new) = (sequence(), sequence())
    let script = EditScript.shortest(old: 0..<old.count, new: 0..<new.count, limit: 24) {
      old[$0] == new[$1]
    }
    let hunks = script ?? []
    var made = old
    for hunk in hunks.reversed() { made.replaceSubrange(hunk.removed, with: new[hunk.inserted]) }
    #expect(made == new)
    #expect(hunks.reduce(0) { $0 + $1.removed.count + $1.inserted.count } == new.difference(from: old).count)
  }
}
