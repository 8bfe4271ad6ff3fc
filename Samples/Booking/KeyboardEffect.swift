import Millrace
import MillraceSystem

/// Reads lines, and lets the window perform swipes.
struct KeyboardEffect: EffectComponent {
  let reader: LineReaderEffect
  let window: Window

  func requests(in isReading: Bool) -> Set<LineReadRequest> { reader.requests(in: isReading) }

  func run(_ request: LineReadRequest, send: Send<Booking.Action>) async throws(TerminalFailure) {
    let events = Send<LineReaderEvent> { event in
      switch event {
      case .line(let line): await send(window.action(of: line.text))
      case .ended, .failed: await send(.inputEnded)
      }
    }
    try await reader.run(request, send: events)
  }

  func action(for failure: TerminalFailure, of request: LineReadRequest) -> Booking.Action { .inputEnded }
}

extension Window {
  /// The action of a line. A swipe is performed here, and then reported to the program.
  func action(of line: String) async -> Booking.Action {
    if line == "<", let gone = await swipeBack() { return .swiped(gone) }
    return .typed(line)
  }
}
