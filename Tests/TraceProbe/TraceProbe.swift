import Foundation
import Millrace
import MillraceTrace

/// A child process that the tests of recordings kill. Counts as fast as it can while it is recorded, and tells each number
/// that is flushed.
@main struct TraceProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { return print("usage: traceprobe file|ring|trap PATH") }
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
}
