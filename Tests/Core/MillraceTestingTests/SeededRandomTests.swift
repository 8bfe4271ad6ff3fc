import MillraceTesting
import Testing

@Test("a seed gives the numbers of SplitMix64, another one others") func numbers() {
  var (random, other) = (SeededRandom(seed: 0), SeededRandom(seed: 1))
  let numbers = (0..<3).map { _ in random.next() }
  #expect(numbers == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F])
  #expect(other.next() != numbers[0])
}
