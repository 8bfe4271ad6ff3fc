import Testing

@testable import MillraceTesting

@Suite("KeptOrder") struct KeptOrderTests {
  @Test("what rises keeps its order") func rising() {
    #expect(KeptOrder.indices(in: []) == [])
    #expect(KeptOrder.indices(in: [3, 5, 9]) == [0, 1, 2])
    #expect(KeptOrder.indices(in: [4, 0, 1, 2]) == [1, 2, 3])
    #expect(KeptOrder.indices(in: [1, 2, 0, 3]) == [0, 1, 3])
    #expect(KeptOrder.indices(in: [3, 2, 1]).count == 1)
  }
}
