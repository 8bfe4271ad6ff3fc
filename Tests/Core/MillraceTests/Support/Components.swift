import Millrace
import MillraceTesting

/// An actor that suspends in its update, and so could be entered again.
actor ReentrantComponent: Component {
  private let overlap: Overlap
  private let received: Recorder<Int>

  init(_ overlap: Overlap, _ received: Recorder<Int>) {
    self.overlap = overlap
    self.received = received
  }

  func update(_ count: Int) async {
    overlap.enter()
    received.append(count)
    await Task.yield()
    overlap.leave()
  }
}

@MainActor final class MainComponent: Component {
  private let overlap: Overlap
  private let received: Recorder<Int>

  init(_ overlap: Overlap, _ received: Recorder<Int>) {
    self.overlap = overlap
    self.received = received
  }

  func update(_ count: Int) async {
    overlap.enter()
    received.append(count)
    await Task.yield()
    overlap.leave()
  }
}

final class AnyExecutorComponent: Component {
  private let overlap: Overlap
  private let received: Recorder<Int>

  init(_ overlap: Overlap, _ received: Recorder<Int>) {
    self.overlap = overlap
    self.received = received
  }

  func update(_ count: Int) async {
    overlap.enter()
    received.append(count)
    await Task.yield()
    overlap.leave()
  }
}

/// Ends the connections that it was given at its first update, after its gate has opened.
final class QuittingComponent: Component {
  let received = Recorder<Int>()
  let finished = Recorder<Void>()
  let connection = Recorder<Connection>()
  let gate = Gate()

  func update(_ count: Int) async {
    received.append(count)
    await gate.waitIgnoringCancellation()
    for connection in connection.values { connection.disconnect() }
    finished.append(())
  }
}

/// Does what a test has it do.
final class ClosureComponent<Props: Equatable & Sendable>: Component {
  private let body: @Sendable (Props) async -> Void

  init(_ body: @escaping @Sendable (Props) async -> Void) { self.body = body }

  func update(_ props: Props) async { await body(props) }
}

@MainActor final class RecordingView: ViewComponent {
  private(set) var received: [Int] = []
  var props = -1 {
    didSet { received.append(props) }
  }
}
