import Millrace
import MillraceStorage
import MillraceTestStore
import Testing

@testable import orders

@Suite struct FeatureTests {
  private static func queued(_ number: Int, at position: String, isPacked: Bool = true) -> Queued {
    Queued(
      position: position,
      content: .message(
        Message(
          key: OutboxKey(epoch: 1, number: UInt64(number)),
          order: Order(customer: "ann", number: number, isPacked: isPacked))))
  }

  @Test("a shop takes orders until it has as many as it is to have, and no more at once than it may")
  func shop() {
    var state = Shop.State(goal: 5, atOnce: 2, customers: 2)
    Shop.reduce(&state, .journal(.loaded(StoredEntries())))
    #expect(state.book.entries.map(\.payload.customer) == ["customer 0", "customer 1"])
    while let entry = state.book.entries.first { Shop.reduce(&state, .outbox(.confirmed(entry.key, nil))) }
    #expect(state.book.values == ["customer 0": 3, "customer 1": 2])
  }

  @Test("a warehouse books each order once, and tells what is missing or out of order")
  func warehouse() {
    var book = Warehouse.Book()
    book.arrived([Self.queued(1, at: "a"), Self.queued(2, at: "b"), Self.queued(1, at: "c")], from: 3)
    #expect(book.total == 2 && book.repeats == 1 && book.violations.isEmpty)
    #expect(book.positions == [3: "c"])
    book.arrived([Self.queued(4, at: "d")], from: 3)
    book.arrived([Self.queued(5, at: "e", isPacked: false)], from: 3)
    #expect(book.violations.count == 2)
  }

  @Test("a log is forgotten up to where the warehouse on disk has read it")
  func resetting() throws {
    let forgetting = Warehouse.Forgetting(engine: try FolderEngine("/tmp")).whenSaved()
    var book = Saving(StoredValue(), or: Warehouse.Book())
    book.save { $0.arrived([Self.queued(1, at: "a")], from: 3) }
    #expect(forgetting.requests(in: book).isEmpty)
    book.reduce(.saved(generation: 1))
    #expect(forgetting.requests(in: book) == [Warehouse.Place(partition: 3, position: "a")])
    book.save { $0.arrived([Self.queued(2, at: "b")], from: 3) }
    #expect(forgetting.requests(in: book).isEmpty)
  }
}
