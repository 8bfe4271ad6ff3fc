import Foundation
import MillraceSystem
import Testing

@Suite("States and actions with values of the library can be recorded")
struct CodingTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private struct State: Codable, Equatable {
    var signals: Set<ProcessSignal> = [.interrupt, .terminate]
    var log = LineLog()
  }

  @Test("signals in a state, and a log that has been written in part") func states() throws {
    var state = State()
    state.log.append("one")
    state.log.append("two")
    state.log.reduce(.wrote(next: 1))
    let copy = try decoded(state)
    #expect(copy == state)
    #expect(Array(copy.log.lines) == ["two"] && copy.log.nextNumber == 2)
  }

  @Test("events of signals, processes, lines and folders") func events() throws {
    let signals: [SignalEvent] = [.listening(.hangup), .received(.terminate)]
    #expect(try decoded(signals) == signals)
    let coded = try JSONEncoder().encode([ProcessSignal.hangup])
    #expect(String(decoding: coded, as: UTF8.self) == #"["hangup"]"#)
    let processes: [SubprocessEvent<Int>] = [
      .started(1, processID: 7), .wrote(1, SubprocessLine(.error, [0xFF, 0x41], isContinued: true)),
      .ended(1, .killed(signal: 9)), .failed(2, .unsuccessful(.exited(status: 2), lastErrors: ["usage"])),
    ]
    #expect(try decoded(processes) == processes)
    let writing: [LineWriterEvent] = [.wrote(next: 4), .skipped(2)]
    #expect(try decoded(writing) == writing)
  }

  @Test("a log with a number that no log has is refused", arguments: [-1, Int.max])
  func badLog(_ number: Int) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LineLog.self, from: Data(#"{"lines":["a"],"firstNumber":\#(number)}"#.utf8))
    }
  }
}
