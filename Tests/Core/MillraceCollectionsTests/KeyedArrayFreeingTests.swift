import MillraceTesting
import Testing

@testable import MillraceCollections

@Suite("Keyed array, freeing")
struct KeyedArrayFreeingTests {
  /// Notes in which way it was freed.
  private final class Token: Sendable {
    @TaskLocal static var isLettingGo = false

    private let freed: Recorder<Bool>

    init(_ freed: Recorder<Bool>) { self.freed = freed }

    deinit { freed.append(Token.isLettingGo) }
  }

  private struct Row: Identifiable, Sendable {
    let id: Int
    var token: Token
  }

  private let freed = Recorder<Bool>()

  private func rows(_ count: Int) -> KeyedArray<Row> {
    KeyedArray(uniqueElements: (0..<count).map { Row(id: $0, token: Token(freed)) })
  }

  /// Lets go of a value; what is freed by that at once is noted so.
  private func letGo<Value>(_ value: inout Value, for other: Value) {
    Token.$isLettingGo.withValue(true) { value = other }
  }

  @Test(
    "whoever lets go of very many elements does not free them, but they are freed", .timeLimit(.minutes(30)))
  func many() async throws {
    var all = rows(100_000)
    letGo(&all, for: KeyedArray())
    try await freed.values(atLeast: 100_000)
    #expect(freed.values.allSatisfy { !$0 })
  }

  @Test("a few thousand elements are freed at once")
  func few() {
    var all = rows(OrderNode.itemsFreedAtOnce)
    letGo(&all, for: KeyedArray())
    #expect(freed.values == Array(repeating: true, count: OrderNode.itemsFreedAtOnce))
  }

  @Test("of a version that shares almost all with another, the rest is freed at once")
  func shared() {
    var all = rows(100_000)
    var held = all
    for id in stride(from: 0, to: 100_000, by: 10_007) {
      all[id: id]?.token = Token(freed)
      letGo(&held, for: all)
    }
    #expect(freed.values == Array(repeating: true, count: 10))
  }
}
