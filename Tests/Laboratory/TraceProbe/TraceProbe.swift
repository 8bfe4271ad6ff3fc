import Foundation
import Millrace
import MillraceTrace

/// A child process that the tests of recordings kill. Counts as fast as it can while it is recorded, and tells each number
/// that is flushed.
@main struct TraceProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: traceprobe file|ring|trap|paced|desk… PATH") }
    if let kind = Desk.Kind(rawValue: arguments[1]) { return try await Desk.work(kind, arguments[2]) }
    if arguments[1] == "paced" { return try await paced(arguments[2]) }
    let store = Store(initialState: [Int]()) { (state: inout [Int], number: Int) in
      if number == -1 { preconditionFailure("asked for") }
      state.append(number)
      if state.count > 100 { state.removeFirst(50) }
    }
    let isFile = arguments[1] == "file"
    let destination: TraceDestination =
      isFile ? .file(arguments[2], rotatingAt: 200_000) : .ring(arguments[2], bytes: 128 << 10)
    let recording = try store.record(to: destination)
    var number = 0
    while true {
      for _ in 0..<Int.random(in: 1...40) {
        number += 1
        store.dispatch(number)
      }
      await store.settled()
      try await recording.flush()
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
      if arguments[1] == "trap", number > 1000 { await store.send(-1) }
    }
  }

  /// Reduces a thousand actions a second until it is killed, and has a run for each tenth of a second. Each action is the
  /// time at which it is dispatched, in microseconds since 1970.
  private static func paced(_ path: String) async throws {
    let store = Store(initialState: 0) { (state: inout Int, time: Int) in state = time }
    try store.record(to: .file(path))
    let tenth = Effect { (_: Int, _: Send<Int>) in try? await Task.sleep(for: .seconds(60)) }
    store.connect(tenth, when: { Optional($0 / 100_000) }, named: "tenth", longRunning: true)
    let start = ContinuousClock.now
    for number in 1... {
      try await Task.sleep(until: start + .milliseconds(number))
      store.dispatch(Int(Date().timeIntervalSince1970 * 1_000_000))
    }
  }
}
