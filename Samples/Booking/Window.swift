import Millrace
import MillraceEffects

/// A window of text. Screens slide in and out for a while, and the user can swipe the newest one away at any time.
actor Window: Component {
  typealias Entry = Navigation<Screen>.Entry
  typealias Step = Navigation<Screen>.Step

  /// The screens, the newest last, including one that slides.
  private(set) var stack: [Entry] = []
  /// The last content drawn.
  private var drawn: Content?

  private let wait: @Sendable (Duration) async throws -> Void
  private let write: @Sendable ([String]) async -> Void

  /// The duration of a slide.
  static let slide = Duration.milliseconds(300)

  init(clock: some Clock<Duration>, write: @escaping @Sendable ([String]) async -> Void) {
    wait = { try await clock.sleep(for: $0) }
    self.write = write
  }

  /// Performs one step, and returns when it is completed. A step that another one follows is not animated.
  ///
  /// A step that is stopped leaves the screens as they were. If a screen is swiped away meanwhile, it stays away.
  func perform(_ step: Step) async {
    let id = step.change.entry.id
    if case .push(let entry) = step.change { stack.append(entry) }
    guard stack.contains(where: { $0.id == id }) else { return }
    await write(["  \(step.words)"])
    let isStopped = step.isLast ? (try? await wait(Self.slide)) == nil : false
    switch step.change {
    case .push: if isStopped { stack.removeAll { $0.id == id } }
    case .pop: if !isStopped { stack.removeAll { $0.id == id } }
    case .change(_, let screen):
      for index in stack.indices where stack[index].id == id && !isStopped { stack[index].screen = screen }
    }
  }

  /// Removes the newest screen at once, as by a swipe, even while it slides. The caller reports it to the program.
  ///
  /// - Returns: the identity of the removed screen; `nil` if there is no other screen.
  func swipeBack() async -> Entry.ID? {
    guard stack.count > 1 else { return nil }
    let gone = stack.removeLast()
    await write(["  \(gone.screen.title) is swiped away"])
    return gone.id
  }

  /// Draws the newest screen after each action of the user, once no screen slides.
  func update(_ content: Content) async {
    guard content.isSettled, content != drawn else { return }
    drawn = content
    await write(content.lines(on: stack.map(\.screen)))
  }
}

extension Navigation<Screen>.Step {
  /// The step in words.
  fileprivate var words: String {
    switch change {
    case .push(let entry): "\(entry.screen.title) slides in"
    case .pop(let entry): "\(entry.screen.title) slides out"
    case .change(let entry, let screen): "\(entry.screen.title) turns into \(screen.title)"
    }
  }
}
