/// Puts what was sustained into words. Pure.
enum LoadReport {
  static func lines(of result: LoadRun.Result) -> [String] {
    let perSecond = Double(result.actions) / (result.running / .seconds(1))
    return [
      "\(result.rows) timers in one list",
      "connected in \(text(result.connecting)), started in \(text(result.starting))",
      result.bytesPerRow.map { "\($0) bytes per row while its timer runs" }
        ?? "memory cannot be measured on this system",
      "\(result.actions) ticks in \(text(result.running)): \(Int(perSecond)) actions per second",
    ]
      + (result.faults.isEmpty
        ? ["every timer ticked as often as it should, and nothing is left"] : result.faults)
  }

  private static func text(_ duration: Duration) -> String {
    "\(Int(duration / .milliseconds(1))) ms"
  }
}
