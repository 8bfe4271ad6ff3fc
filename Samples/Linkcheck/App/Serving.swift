import DemoSite
import Foundation
import Millrace
import MillraceEffects
import MillraceSystem

/// Serves the demo site until a signal arrives.
enum Serving {
  static func run(_ options: ServeOptions) async throws -> Int32 {
    let server: DemoServer
    do {
      server = try DemoServer(port: options.port, delayInMilliseconds: options.demoDelayInMilliseconds)
    } catch {
      throw UsageError("cannot serve on port \(options.port): \(error)")
    }
    defer { server.stop() }
    // The feature that stops a check does not depend on the check, so it can stop this, too.
    let store = Store(initialState: Stop.stateAtStart, reduce: Stop.reduce)
    Stop.connect(to: store)
    // A reader of the address may send a signal, so the program listens to signals first.
    for await isListening in store.values(of: \.isListening) where isListening { break }
    try TerminalOutput.standardOutput.write(server.origin + "/\n")
    for await signal in store.values(of: \.received) {
      if let signal { return signal.exitStatus }
    }
    return 0
  }
}
