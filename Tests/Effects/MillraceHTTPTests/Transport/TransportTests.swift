import Foundation
import Testing

@testable import MillraceHTTP

@Suite struct HTTPHeadReaderTests {
  private func read(_ lines: String...) -> [HTTPHeadReader.Next] {
    var reader = HTTPHeadReader()
    return lines.map { reader.lineArrived(Array($0.utf8)) }
  }

  @Test("a head is whole at its empty line, and what comes then is a trailer")
  func whole() {
    var reader = HTTPHeadReader()
    #expect(reader.lineArrived("HTTP/1.1 200 OK\r\n".utf8) == .goOn)
    #expect(reader.lineArrived("A: b\r\n".utf8) == .goOn)
    #expect(!reader.isWhole)
    #expect(reader.lineArrived("\r\n".utf8) == .head(HTTPHead(status: 200, headers: ["a": "b"])))
    #expect(reader.isWhole)
    #expect(reader.lineArrived("C: d\r\n".utf8) == .goOn)
    #expect(reader.lineArrived("HTTP/1.1 200 OK\r\n".utf8) == .goOn)
    #expect(reader.lineArrived("\r\n".utf8) == .goOn)
  }

  @Test("interim answers are no answers")
  func interim() {
    var reader = HTTPHeadReader()
    for line in ["HTTP/1.1 103 Early\r\n", "A: b\r\n"] { #expect(reader.lineArrived(line.utf8) == .goOn) }
    #expect(reader.lineArrived("\r\n".utf8) == .interim(HTTPHead(status: 103, headers: ["a": "b"])))
    #expect(!reader.isWhole)
    #expect(reader.lineArrived("HTTP/2 204 \r\n".utf8) == .goOn)
    #expect(reader.lineArrived("\r\n".utf8) == .head(HTTPHead(status: 204)))
  }

  @Test("a folded field goes on, and blanks around values are no part of them")
  func folded() {
    #expect(
      read("HTTP/1.1 200 OK\n", "A:  b \t\n", " c\n", "\td \n", "E:\n", "\n").last
        == .head(HTTPHead(status: 200, headers: ["a": "b c d", "e": ""])))
    #expect(
      read("HTTP/1.1 200 OK\n", "A: b\n", " \n", "C:\n", "\td\n", "\n").last
        == .head(HTTPHead(status: 200, headers: ["a": "b", "c": "d"])))
  }

  @Test("bytes that are no UTF-8 are Latin-1, and marks are no part of what stands before them")
  func characters() {
    var reader = HTTPHeadReader()
    _ = reader.lineArrived("HTTP/1.1 200 OK\r\n".utf8)
    _ = reader.lineArrived(Array("A: zo".utf8) + [0xEB, 13, 10])
    _ = reader.lineArrived("B:\u{301} c\r\n".utf8)
    #expect(
      reader.lineArrived("\r\n".utf8)
        == .head(HTTPHead(status: 200, headers: ["a": "zoë", "b": "\u{301} c"])))
  }

  @Test(
    "a carriage return or a zero within a line makes it no line of a head",
    arguments: [
      "A: b\rc\r\n", "A: b\r\r\n", "A\r: b\r\n", "\rA: b\r\n", " b\rc\r\n", "A: b\0\r\n", "A: \r\n\r",
    ])
  func bareCarriageReturn(line: String) {
    guard case .fail(.notHTTP) = read("HTTP/1.1 200 OK\r\n", "X: y\r\n", line).last else {
      Issue.record("\(line.debugDescription) was read")
      return
    }
    guard case .fail(.notHTTP) = read("HTTP/1.1 200 O\rK\r\n").last else {
      Issue.record("the status line was read")
      return
    }
  }

  @Test("a head may be so large, in all of its parts together, and no larger")
  func largest() {
    for start in [["HTTP/1.1 200 OK\r\n"], ["HTTP/1.1 200 OK\r\n", "\r\n"]] {
      var reader = HTTPHeadReader()
      for line in start { _ = reader.lineArrived(line.utf8) }
      let used = start.joined().utf8.count
      let rest = "A: " + String(repeating: "b", count: HTTPHeadReader.largest - used - 5) + "\r\n"
      #expect(reader.lineArrived(rest.utf8) == .goOn)
      guard case .fail(.notHTTP) = reader.lineArrived("\n".utf8) else {
        Issue.record("one byte more was read")
        return
      }
    }
  }
}

@Suite struct TransferBufferTests {
  private func arrive(_ buffer: inout TransferBuffer, _ count: Int) -> TransferBuffer.Verdict {
    Data(repeating: 1, count: count).withUnsafeBytes { buffer.bodyArrived($0) }
  }

  @Test("the head comes first, then the body, then the end")
  func order() {
    var buffer = TransferBuffer()
    #expect(buffer.take() == nil)
    buffer.headArrived(HTTPHead(status: 200))
    #expect(arrive(&buffer, 1) == .taken)
    #expect(arrive(&buffer, 2) == .taken)
    buffer.ended(.timedOut)
    buffer.ended(nil)
    #expect(buffer.take()?.item == .head(HTTPHead(status: 200)))
    #expect(buffer.take()?.item == .body(Data([1, 1, 1])))
    #expect(buffer.take()?.item == .end(.timedOut))
    #expect(buffer.take()?.item == .end(.timedOut))
    #expect(arrive(&buffer, 1) == .never)
  }

  @Test("what is more than is kept has to wait, and the wire goes on when there is room")
  func backPressure() {
    var buffer = TransferBuffer()
    #expect(arrive(&buffer, TransferBuffer.capacity) == .taken)
    #expect(arrive(&buffer, 1) == .later)
    #expect(buffer.take().map(\.resumes) == true)
    #expect(arrive(&buffer, 2 * TransferBuffer.capacity) == .taken)
    #expect(buffer.take().map(\.resumes) == false)
  }

  @Test("an answer that is given up drops what waits, and takes nothing more")
  func givenUp() {
    var buffer = TransferBuffer()
    buffer.headArrived(HTTPHead(status: 200))
    #expect(arrive(&buffer, 3) == .taken)
    #expect(buffer.abandoned(.cancelled) == true)
    #expect(arrive(&buffer, 3) == .never)
    buffer.headArrived(HTTPHead(status: 200))
    buffer.ended(nil)
    #expect(buffer.abandoned(.timedOut) == false)
    #expect(buffer.take()?.item == .end(.cancelled))
    buffer = TransferBuffer()
    buffer.ended(nil)
    #expect(buffer.abandoned(.cancelled) == false)
  }
}

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
