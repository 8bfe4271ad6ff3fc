/// A session without a user.
struct Script: Equatable, Sendable {
  enum Step: Equatable, Sendable {
    /// A line. An early one is typed when the screen has slid half its way.
    case type(String, isEarly: Bool)
    /// Lets time pass until no screen slides.
    case rest
    /// Ends the program at this point and begins again.
    case restart
  }

  var steps: [Step] = []

  /// Adds lines, each typed when no screen slides.
  func typing(_ lines: String...) -> Script {
    Script(steps: steps + lines.flatMap { [.type($0, isEarly: false), .rest] })
  }

  /// Adds a line, and one that is typed while the screen still slides.
  func typing(_ line: String, andEarly early: String) -> Script {
    Script(steps: steps + [.type(line, isEarly: false), .type(early, isEarly: true), .rest])
  }

  func restarting() -> Script { Script(steps: steps + [.restart]) }

  static var demonstration: Script {
    Script()
      // Back by the program, and by a swipe of the window.
      .typing("7", "back", "9", "<").typing("7", andEarly: "<")
      // A link waits for the sign-in.
      .typing("open trip/7/seat", "ann", "99z", "12a")
      // The draft and the path are on disk.
      .restarting().typing("Ann Lee", "back", "")
      // Leaving the wizard asks first. A swipe does not, since it has already happened.
      .typing("home", "no", "open tickets", "<", "<", "book")
      .typing("book", "open trip/12/seat", "2b", "back", "back", "yes", "open boat/1", "open trip/8", "quit")
  }
}
