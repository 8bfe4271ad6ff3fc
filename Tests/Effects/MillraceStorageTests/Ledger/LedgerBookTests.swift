import Foundation
import Testing

@testable import MillraceStorage

@Suite struct LedgerBookTests {
  private var book = LedgerBook(remembering: 10)

  private func record(_ kind: LogRecord.Kind, _ key: LedgerKey, _ attempt: Int = 1) -> LedgerRecord {
    LedgerRecord(kind: kind, key: key, attempt: attempt)
  }

  @Test("an attempt may begin if no such and no later one has")
  mutating func verdicts() {
    #expect(book.verdict(on: "a", attempt: 1) == .begun)
    book.wrote(record(.begun, "a", 2))
    #expect(book.verdict(on: "a", attempt: 1) == .interrupted)
    #expect(book.verdict(on: "a", attempt: 2) == .interrupted)
    #expect(book.verdict(on: "a", attempt: 3) == .begun)
    #expect(book.verdict(on: "b", attempt: 2) == .begun)
    book.wrote(record(.ended, "a", 2))
    #expect(book.verdict(on: "a", attempt: 2) == .ended)
    #expect(book.verdict(on: "a", attempt: 3) == .begun)
  }

  @Test("an end of an earlier attempt does not end the later one")
  mutating func earlierEnd() {
    book.wrote(record(.begun, "a", 1))
    book.wrote(record(.begun, "a", 2))
    #expect(!book.isOpen("a", attempt: 1))
    book.wrote(record(.ended, "a", 1))
    #expect(book.verdict(on: "a", attempt: 2) == .interrupted)
    book.wrote(record(.forgotten, "a", 1))
    #expect(book.isOpen("a", attempt: 2) && book.isOpen("a", attempt: nil))
    book.wrote(record(.begun, "a", 1))
    #expect(book.entries["a"]?.attempt == 2)
  }

  @Test("what was forgotten may begin as if it never had; what has ended is not forgotten")
  mutating func forgotten() {
    book.wrote(record(.begun, "a"))
    book.wrote(record(.forgotten, "a"))
    #expect(book.verdict(on: "a", attempt: 1) == .begun)
    book.wrote(record(.begun, "b"))
    book.wrote(record(.ended, "b"))
    #expect(!book.isOpen("b", attempt: nil))
  }

  @Test("a compacted book says the same of all that is open and of the last that ended")
  mutating func compacted() {
    for number in 0..<1000 {
      book.wrote(record(.begun, LedgerKey("\(number)")))
      if number % 100 != 0 { book.wrote(record(.ended, LedgerKey("\(number)"))) }
    }
    let (records, new) = book.compacted()
    #expect(records.count == 10 + 10)
    #expect(new.recordCount == 20)
    for number in 0..<1000 {
      let expected: LedgerBook.Verdict = number % 100 == 0 ? .interrupted : number >= 990 ? .ended : .begun
      #expect(new.verdict(on: LedgerKey("\(number)"), attempt: 1) == expected)
    }
    #expect(LedgerBook(records, remembering: 10).compacted().records == records)
  }

  @Test("what was begun in an earlier life is known for that after a compaction")
  mutating func inherited() {
    book.wrote(record(.begun, "old"), isInherited: true)
    book.wrote(record(.begun, "new"))
    let compacted = book.compacted().book
    #expect(compacted.entries["old"]?.isInherited == true && compacted.entries["new"]?.isInherited == false)
  }

  @Test("a file is worth compacting when less than half of it matters, and not again right after")
  mutating func worth() {
    var compactions = 0
    var largest: UInt64 = 0
    for number in 0..<10_000 {
      book.wrote(record(.begun, LedgerKey("\(number)")))
      book.wrote(record(.ended, LedgerKey("\(number)")))
      largest = max(largest, book.recordCount)
      guard book.isWorthCompacting else { continue }
      compactions += 1
      book = book.compacted().book
      #expect(!book.isWorthCompacting)
    }
    #expect(largest <= 100)
    #expect((100...400).contains(compactions))
    for number in 0..<10_000 { book.wrote(record(.begun, LedgerKey("open \(number)"))) }
    #expect(!book.isWorthCompacting)
  }
}
