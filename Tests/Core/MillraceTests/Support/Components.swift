import Millrace
import MillraceTesting

/// An update that suspends, and so could overlap with another one.
struct Visit: Sendable {
  let overlap = Overlap()
  let received = Recorder<Int>()

  func update(_ count: Int) async {
    overlap.enter()
    received.append(count)
    await Task.yield()
    overlap.leave()
  }
}

actor ReentrantComponent: Component {
  private let visit: Visit
  init(_ visit: Visit) { self.visit = visit }
  func update(_ count: Int) async { await visit.update(count) }
}

@MainActor final class MainComponent: Component {
  private let visit: Visit
  init(_ visit: Visit) { self.visit = visit }
  func update(_ count: Int) async { await visit.update(count) }
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
