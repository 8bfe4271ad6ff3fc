import MillraceTesting
import Testing

@Suite struct SeededRandomTests {
  @Test("a seed gives the numbers of SplitMix64") func numbers() {
    var random = SeededRandom(seed: 0)
    #expect(
      (0..<3).map { _ in random.next() } == [
        0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F,
      ])
  }

  @Test("two seeds give different random numbers") func seeds() {
    var (one, two) = (SeededRandom(seed: 1), SeededRandom(seed: 2))
    #expect(one.next() != two.next())
  }
}
