import TestSupport
import Testing

@testable import MillraceCollections

@Suite("Hash table")
struct HashTableTests {
  @Test(
    "it finds what was put in and not taken out, also where many hashes want one slot",
    arguments: [UInt64(1), 2, 3], [1, 64, 4096])
  func againstDictionary(seed: UInt64, stride: Int) {
    var random = SeededGenerator(seed: seed)
    var table = HashTable<Int>()
    var model: [Int: Int] = [:]
    for step in 0..<4000 {
      // First it mostly grows, then it shrinks.
      let hash = Int.random(in: 0..<400, using: &random) * stride
      let isPut = Int.random(in: 0..<4, using: &random) > (step < 2000 ? 0 : 2)
      table[hash] = isPut ? step : nil
      model[hash] = isPut ? step : nil
      #expect(table.count == model.count)
      #expect(table[hash] == model[hash])
      if step % 500 == 0 {
        for hash in 0..<400 { #expect(table[hash * stride] == model[hash * stride]) }
        #expect(Set(table) == Set(model.values))
      }
    }
  }
}
