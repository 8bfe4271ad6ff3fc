import Testing

@testable import MillraceHTTP

@Suite struct ProgressMeterTests {
  private func reports(of total: Int, inParts part: Int, announced: Bool) -> [HTTPProgress] {
    var meter = ProgressMeter(total: announced ? total : nil)
    var reports: [HTTPProgress] = []
    var rest = total
    while rest > 0 {
      let count = min(part, rest)
      rest -= count
      if let report = meter.transferred(count) { reports.append(report) }
    }
    return reports
  }

  @Test(
    "progress of an announced body is told at most a hundred times, in order, and at its end",
    arguments: [1, 2, 99, 100, 101, 150, 199, 200, 9_999, 1_000_000], [1, 7, 1_000, .max])
  func announced(total: Int, part: Int) {
    let reports = reports(of: total, inParts: part, announced: true)
    #expect((1...100).contains(reports.count))
    #expect(reports.last == HTTPProgress(completed: total, total: total))
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.completed < $1.completed })
    if total % 100 == 0, part == 1 { #expect(reports.count == 100) }
  }

  @Test(
    "progress of a body of unknown length is told at most a hundred times, however large it becomes",
    arguments: [1 << 20, 1 << 30, 1 << 40, .max])
  func unknown(total: Int) {
    let reports = reports(of: total, inParts: total / 50_000, announced: false)
    #expect((1...100).contains(reports.count))
    #expect(reports.allSatisfy { $0.total == nil && $0.fraction == nil })
    if let last = reports.last { #expect(last.completed > total / 2) }
  }

  @Test("a body that was announced as huge does not overflow the count")
  func huge() {
    let reports = reports(of: .max, inParts: .max / 1_000, announced: true)
    #expect((99...100).contains(reports.count))
  }

  @Test("a body that becomes longer than it was announced is still told at most a hundred times")
  func longerThanAnnounced() {
    var meter = ProgressMeter(total: 200)
    var reports = 0
    for _ in 0..<10_000 where meter.transferred(1) != nil { reports += 1 }
    #expect(reports == 100)
  }

  @Test("of an empty body there is nothing to tell, and a small one of unknown length is not told")
  func small() {
    var meter = ProgressMeter(total: 0)
    let report = meter.transferred(0)
    #expect(report == nil)
    #expect(reports(of: 1_000, inParts: 10, announced: false).isEmpty)
  }

  @Test("the share is from zero to one")
  func fraction() {
    #expect(HTTPProgress(completed: 5, total: 20).fraction == 0.25)
    #expect(HTTPProgress(completed: 30, total: 20).fraction == 1)
    #expect(HTTPProgress(completed: 0, total: 0).fraction == 1)
    #expect(HTTPProgress(completed: 5).fraction == nil)
  }
}
