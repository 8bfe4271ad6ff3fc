import Foundation
import Millrace
import MillraceTrace
import RidesDomain

/// `rides-kiosk`: plays a morning at the hotel. Exit code 0, or 2 for a wrong command line.
@main enum KioskCommand {
  static let usage = "usage: rides-kiosk"

  /// The commands of guests, in steps. The commands of one step are performed at the same time, at both screens.
  static let morning: [[Kiosk.Action]] = [
    // Both screens order the same route: two independent orders.
    [.left(.destinationChosen(Place("airport"))), .right(.destinationChosen(Place("airport")))],
    [.left(.confirmed)],
    [.right(.withdrawn)],
    [.right(.destinationChosen(Place("museum")))],
    [.right(.confirmed)],
    [.left(.destinationChosen(Place("opera")))],
    [.left(.confirmed)],
  ]

  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case nil: try await play { print($0) }
    case "--help", "-h": print(usage)
    case .some(let argument):
      FileHandle.standardError.write(Data("rides-kiosk: '\(argument)' is not an option; \(usage)\n".utf8))
      exit(2)
    }
  }

  static func play(write: @escaping @Sendable (String) -> Void) async throws {
    let store = Store(initialState: Kiosk(), reduce: Kiosk.reduce)
    // MILLRACE_TRACE=FILE in the environment records the program.
    try store.recordIfAsked()
    Kiosk.connect(to: store, service: HotelFleet())
    for (index, step) in morning.enumerated() {
      for action in step { store.dispatch(action) }
      await store.settled()
      write("step \(index + 1)")
      for line in Board.lines(of: store.state) { write("  \(line)") }
    }
    write("the end: \(await store.shutdown())")
  }
}
