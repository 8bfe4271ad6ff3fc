/// Describes the result of a load run in words. Pure.
enum LoadReport {
  static func lines(of result: LoadRun.Result) -> [String] {
    let perSecond = Double(result.actions) / (result.running / .seconds(1))
    return [
      "\(result.rows) timers in one list",
      "connected in \(text(result.connecting)), started in \(text(result.starting))",
      memory(of: result) ?? "memory cannot be measured on this system",
      "\(result.actions) ticks in \(text(result.running)): \(Int(perSecond)) actions per second",
    ]
      + (result.faults.isEmpty
        ? ["every timer ticked as often as it should, and nothing is left"] : result.faults)
  }

  private static func memory(of result: LoadRun.Result) -> String? {
    guard let idle = result.idleBytesPerRow, let running = result.runningBytesPerRow else { return nil }
    return "\(idle) bytes per idle row, \(running) while its timer runs"
  }

  private static func text(_ duration: Duration) -> String {
    "\(Int(duration / .milliseconds(1))) ms"
  }
}
