import Testing

@testable import Millrace

@Suite("Patience")
struct PatienceTests {
  @Test("the next run waits as long as nothing has kept it for long") func granted() {
    var patience = Patience()
    var refused = 0
    for _ in 0..<100_000 { refused += patience.isGranted() ? 0 : 1 }
    #expect(refused == 0)
  }

  @Test("each time it was tried, twice as many do not wait, up to a limit") func tried() {
    var patience = Patience()
    var refused: [Int] = []
    for _ in 0..<14 {
      patience.wasTried()
      refused.append(refusals(of: &patience))
    }
    #expect(refused == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4096, 4096])
  }

  @Test("after many that were not kept for long, it is as it was") func redeemed() {
    var patience = Patience()
    for _ in 0..<5 { patience.wasTried() }
    _ = refusals(of: &patience)
    for _ in 0..<64 { _ = patience.isGranted() }
    patience.wasTried()
    #expect(refusals(of: &patience) == 2)
  }

  private func refusals(of patience: inout Patience) -> Int {
    var count = 0
    while !patience.isGranted() { count += 1 }
    return count
  }
}
