import Foundation
import MillraceEffects
import MillraceSystem
import Testing

@Suite("States and actions with values of the library can be recorded")
struct CodingTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private struct State: Codable, Equatable {
    var timers: Set<TimerRequest<String>> = [
      TimerRequest("tick", .every(.seconds(1), missed: .catchUp), tolerance: .milliseconds(5)),
      TimerRequest("end", .after(.seconds(9))),
    ]
    var alarms: Set<WallClockTimerRequest<Int>> = [
      WallClockTimerRequest(1, .weekly(on: [.monday], at: .init(6, 30), timeZone: "Europe/Berlin")),
      WallClockTimerRequest(2, .once(at: Date(timeIntervalSince1970: 5))),
    ]
    var signals: Set<ProcessSignal> = [.interrupt, .terminate]
    var log = LineLog()
  }

  @Test("requests in a state, and a log that has been written in part") func states() throws {
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
