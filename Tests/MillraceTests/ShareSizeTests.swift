import Testing

@testable import Millrace

@Suite("Share size")
struct ShareSizeTests {
  private func size(after durations: [Duration]) -> [Int] {
    var size = ShareSize()
    return durations.map { duration in
      size.shareEnded(count: size.count, after: duration)
      return size.count
    }
  }

  @Test("as long as all of them take a moment, twice as many are taken, up to a limit") func quick() {
    let durations = Array(repeating: Duration.microseconds(99), count: 6)
    #expect(size(after: durations) == [128, 256, 512, 1024, 1024, 1024])
  }

  @Test("where they take longer, it stays, and where they take much longer, few are taken") func slow() {
    #expect(
      size(after: [.microseconds(50), .microseconds(100), .microseconds(400), .microseconds(401)])
        == [128, 128, 128, 64])
    #expect(size(after: [.seconds(1)]) == [64])
  }

  @Test("that few were there to be taken says nothing of how long many take") func few() {
    var size = ShareSize()
    size.shareEnded(count: 63, after: .zero)
    #expect(size.count == 64)
  }
}
