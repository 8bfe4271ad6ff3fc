import Testing

@testable import manytimers

@Suite("Many rows")
struct LoadRunTests {
  @Test("no tick is lost, and nothing is left", arguments: [(1, 1), (3, 100), (500, 4)])
  func run(rows: Int, ticks: Int) async {
    let result = await LoadRun(rows: rows, ticks: ticks).run()
    #expect(result.faults == [])
    #expect((result.rows, result.actions) == (rows, rows * ticks))
  }

  @Test("the report says what was sustained, or what is wrong")
  func report() {
    var result = LoadRun.Result(
      rows: 2, actions: 20, idleBytesPerRow: 100, runningBytesPerRow: 300, connecting: .milliseconds(1),
      starting: .milliseconds(2),
      running: .milliseconds(10))
    #expect(
      LoadReport.lines(of: result) == [
        "2 timers in one list", "connected in 1 ms, started in 2 ms",
        "100 bytes per idle row, 300 while its timer runs", "20 ticks in 10 ms: 2000 actions per second",
        "every timer ticked as often as it should, and nothing is left",
      ])
    result.faults = ["1 timers have not ticked 10 times"]
    result.idleBytesPerRow = nil
    #expect(
      LoadReport.lines(of: result).dropFirst(2) == [
        "memory cannot be measured on this system", "20 ticks in 10 ms: 2000 actions per second",
        "1 timers have not ticked 10 times",
      ])
  }
}
