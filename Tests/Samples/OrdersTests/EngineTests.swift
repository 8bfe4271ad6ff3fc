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
    #expect(first.map(\.content.message?.order.number) == [1, 2])
    #expect(try await engine.finish(first, of: lease))
    #expect(try await engine.finish(first, of: lease), "a repeated call moves nothing again")
    #expect(try await engine.next(of: lease, limit: 2).map(\.content.message?.order.number) == [3])
    let packed = try await engine.packed(in: 5, after: "", limit: 9)
    #expect(packed.map(\.content) == first.map(\.content))
    #expect(
      try await engine.packed(in: 5, after: packed[0].position, limit: 9).map(\.content) == [
        packed[1].content
      ])
  }

  @Test("a worker whose lease somebody else has finishes nothing")
  func fenced() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    try await engine.put(Self.message(1), in: 5)
    let old = try #require(await engine.lease(to: "slow", for: .zero))
    let queued = try await engine.next(of: old, limit: 9)
    let new = try #require(await engine.lease(to: "quick", for: .seconds(600)))
    #expect(new.partition == old.partition && new.token > old.token)
    #expect(try await engine.finish(queued, of: old) == false)
    #expect(try await engine.packed(in: 5, after: "", limit: 9).isEmpty)
    #expect(try await engine.lease(to: "third", for: .seconds(600)) == nil, "the newest lease is still held")
    #expect(try await engine.finish(queued, of: new))
  }

  @Test("only a partition with orders is leased, its end gives the lease back, and no lease writes nothing")
  func leases() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    for number in 1...2 { try await engine.put(Self.message(number), in: 5) }
    var tokens: [Int] = []
    for _ in 1...2 {
      let lease = try #require(await engine.lease(to: "ann", for: .seconds(600)))
      #expect(lease.partition == 5)
      #expect(try await engine.finish(engine.next(of: lease, limit: 1), of: lease))
      tokens.append(lease.token)
    }
    #expect(tokens[1] > tokens[0])
    func contents() throws -> [String: Data?] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("engine"))
      return Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name, FileManager.default.contents(atPath: folder.file("engine/\(name)")))
        })
    }
    #expect(try await engine.lease(to: "ann", for: .seconds(600)) == nil)
    let before = try contents()
    #expect(try await engine.lease(to: "ann", for: .seconds(600)) == nil)
    #expect(try contents() == before)
  }

  @Test("a line that a killed process has not ended is written over")
  func torn() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    try LineFile(path).append([1, 2])
    let whole = try #require(FileManager.default.contents(atPath: path))
    try (whole + Data("3".utf8)).write(to: URL(fileURLWithPath: path))
    #expect(try LineFile(path).lines() == ["1", "2"])
    try LineFile(path).append([4])
    #expect(try LineFile(path).lines() == ["1", "2", "4"])
  }

  /// A process without a free descriptor took every file for empty, and wrote over it.
  @Test("a file that cannot be read is not written over")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    #expect(mkfifo(path, 0o600) == 0)  // it opens, and has no places to read at
    #expect(throws: EngineFailure.self) { try LineFile(path).append([3]) }
    #expect(throws: EngineFailure.self) { try LineFile(path).lines() }
    // One that is there and does not open.
    #expect(throws: EngineFailure.self) { try LineFile(folder.file(".")).append([3]) }
    #expect(throws: EngineFailure.self) { try LineFile(folder.file(".")).lines() }
  }

  @Test("what is no message goes the way of one, and keeps none that is behind it")
  func noMessage() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    try await engine.put(Self.message(1), in: 5)
    let lines = ["no JSON", "", #"{"key":7}"#, "\u{1F600}\u{0}"]
    let queue = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("engine/queue-5")))
    try queue.seekToEnd()
    try queue.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try await engine.put(Self.message(2), in: 5)
    let lease = Lease(partition: 5, token: 0)
    let first = try await engine.next(of: lease, limit: 3)
    #expect(try await engine.finish(first, of: lease))
    #expect(try await engine.finish(engine.next(of: lease, limit: 9), of: lease))
    #expect(try await engine.next(of: lease, limit: 9).isEmpty)
    // A line of the log itself that is damaged is told as well.
    let log = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("engine/log-5")))
    try log.seekToEnd()
    try log.write(contentsOf: Data("also none\n".utf8))
    try await engine.put(Self.message(3), in: 5)
    #expect(try await engine.finish(engine.next(of: lease, limit: 9), of: lease))
    let packed = try await engine.packed(in: 5, after: "", limit: 99)
    #expect(
      packed.map(\.content) == [.message(Self.message(1))] + lines.map(Content.unreadable) + [
        .message(Self.message(2)), .unreadable("also none"), .message(Self.message(3)),
      ])
    var book = Warehouse.Book()
    book.arrived(packed, from: 5)
    #expect(book.positions == [5: "7"] && book.aside.count == 5)
    #expect(book.aside[0] == #"partition 5, 1: unreadable("no JSON")"#)
  }

  @Test("a lease from a clock that was ahead keeps nobody from its partition")
  func leaseFromTheFuture() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    try await engine.put(Self.message(1), in: 5)
    let hour = Date().timeIntervalSince1970 + 3600
    let line = #"{"token":1,"from":\#(hour),"until":\#(hour + 2)}"#
    try Data("\(line)\n".utf8).write(to: URL(fileURLWithPath: folder.file("engine/lease-5")))
    #expect(try await engine.lease(to: "ann", for: .seconds(600)) == Lease(partition: 5, token: 2))
    #expect(try await engine.finish([], of: Lease(partition: 5, token: 1)) == false)
  }

  @Test("after a line of leases that cannot be read, the token is higher than that line's")
  func damagedLease() async throws {
    let folder = try TemporaryFolder()
    let engine = try FolderEngine(folder.file("engine"))
    try await engine.put(Self.message(1), in: 5)
    let lines = #"{"token":1,"from":0,"until":1}"# + "\nno lease\n"
    try Data(lines.utf8).write(to: URL(fileURLWithPath: folder.file("engine/lease-5")))
    #expect(try await engine.lease(to: "ann", for: .zero)?.token == 3)
    #expect(try await engine.finish([], of: Lease(partition: 5, token: 2)) == false)
  }
}

/// What a server that is not Redis, or wishes ill, can answer with.
@Suite struct RespReaderTests {
  private func answers(_ text: String) throws -> [Result<RespValue, RespError>] {
    var (reader, answers) = (RespReader(), [Result<RespValue, RespError>]())
    for byte in text.utf8 {
      reader.received([byte])
      while let answer = try reader.next() { answers.append(answer) }
    }
    return answers
  }

  @Test("answers are read in parts of any size")
  func parts() throws {
    #expect(
      try answers("+OK\r\n:12\r\n$5\r\nhe\r\no\r\n*2\r\n*1\r\n$-1\r\n:3\r\n*0\r\n") == [
        .success(.text("OK")), .success(.number(12)), .success(.text("he\r\no")),
        .success(.list([.list([.none]), .number(3)])), .success(.list([])),
      ])
  }

  @Test("an error within a list is that of the whole, and the next answer is the next one's")
  func errorWithin() throws {
    #expect(
      try answers("*2\r\n-ERR a\r\n:1\r\n+next\r\n") == [
        .failure(RespError(description: "ERR a")), .success(.text("next")),
      ])
  }

  @Test("a length or a depth beyond bounds is a failure, and a count takes no memory")
  func bounds() throws {
    for text in [
      "$9223372036854775807\r\n", "$x\r\n", String(repeating: "*1\r\n", count: 100_000), "hello\r\n", "+OK\n",
      String(repeating: "+", count: 100_000),
    ] {
      #expect(throws: RespFailure.self, "\(text.prefix(20))") { try answers(text) }
    }
    #expect(try answers("*9223372036854775807\r\n:1\r\n").isEmpty)
  }
}
