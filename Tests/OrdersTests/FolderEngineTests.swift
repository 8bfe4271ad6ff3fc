import Foundation
import MillraceStorage
import TestSupport
import Testing

@testable import orders

@Suite struct FolderEngineTests {
  private static func message(_ number: Int) -> Message {
    Message(
      key: OutboxKey(epoch: 1, number: UInt64(number)), order: Order(customer: "ann", number: number))
  }

  @Test("orders are finished in their order, and read from a position on")
  func order() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    for number in 1...3 { try await engine.put(Self.message(number), in: 5) }
    let lease = Lease(partition: 5, token: 0)
    let first = try await engine.next(of: lease, limit: 2)
    #expect(first.map(\.message.order.number) == [1, 2])
    #expect(try await engine.finish(first, of: lease))
    #expect(try await engine.finish(first, of: lease), "a repeated call moves nothing again")
    #expect(try await engine.next(of: lease, limit: 2).map(\.message.order.number) == [3])
    let packed = try await engine.packed(in: 5, after: "", limit: 9)
    #expect(packed.map(\.message) == first.map(\.message))
    #expect(
      try await engine.packed(in: 5, after: packed[0].position, limit: 9).map(\.message) == [
        packed[1].message
      ])
  }

  @Test("a worker whose lease somebody else has finishes nothing")
  func fenced() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    let old = try #require(await engine.lease(to: "slow", for: .zero))
    try await engine.put(Self.message(1), in: old.partition)
    let queued = try await engine.next(of: old, limit: 9)
    var new: Lease?
    while new?.partition != old.partition { new = try await engine.lease(to: "quick", for: .seconds(600)) }
    #expect(try #require(new).token > old.token)
    #expect(try await engine.finish(queued, of: old) == false)
    #expect(try await engine.renew(old, for: .seconds(600)) == false)
    #expect(try await engine.packed(in: old.partition, after: "", limit: 9).isEmpty)
    #expect(try await engine.finish(queued, of: #require(new)))
  }

  @Test("a line that a killed process has not ended is written over")
  func torn() throws {
    let folder = try TemporaryFolder()
    let file = LineFile(folder.file("lines"))
    try file.append([1, 2])
    let whole = try #require(FileManager.default.contents(atPath: file.path))
    try (whole + Data("3".utf8)).write(to: URL(fileURLWithPath: file.path))
    let before: [Int] = try file.values()
    try file.append([4])
    let after: [Int] = try file.values()
    #expect(before == [1, 2] && after == [1, 2, 4])
  }
}
