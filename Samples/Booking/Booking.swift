import Millrace
import MillraceEffects
import MillraceStorage

/// The whole program's state: the place of the user, and the bookings.
struct Booking: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case open
    /// There is no further line. The program ends once everything is shown.
    case ended
    case quit
  }

  var navigation: Navigation<Screen>
  /// The screens to show once the open questions, such as a sign-in, are answered.
  var destination: [Screen]?
  var user: String?
  /// The drafts by their trips.
  var drafts: [Int: Draft]
  var tickets: [Ticket]
  /// The value that is saved to disk.
  var saving: Saving<Kept>
  /// The answer to the last line, if there is one.
  var message: String? = usage
  /// The number of the user's actions.
  var inputCount = 0
  var input = Input.open

  enum Action: Equatable, Sendable {
    case typed(String)
    /// The window has removed its newest screen by itself.
    case swiped(ScreenPath<Screen>.ID)
    case opened([Screen])
    case inputEnded
    case navigation(Navigation<Screen>.Action)
    case storage(StorageEvent)
  }

  /// Starts from the stored state.
  init(_ stored: StoredValue<Kept> = StoredValue()) {
    saving = Saving(stored, or: Kept())
    let kept = saving.value
    navigation = Navigation(kept.path)
    (destination, user, drafts, tickets) = (kept.destination, kept.user, kept.drafts, kept.tickets)
    if let file = stored.damaged.first {
      message = "\(file.path) was damaged; it is now \(file.setAsideAs)"
    }
  }

  @Sendable static func reduce(_ booking: inout Booking, _ action: Action) {
    switch action {
    case .typed(let line):
      booking.began()
      booking.typed(line)
    case .swiped(let id):
      booking.began()
      booking.navigation.dismissed(id)
      // Swiping a question away withdraws the destination.
      if booking.question == nil { booking.destination = nil }
    case .opened(let screens): booking.go(to: screens)
    case .inputEnded: if booking.input == .open { booking.input = .ended }
    case .navigation(let report): booking.navigation.reduce(report)
    case .storage(let event):
      booking.saving.reduce(event)
      if let failure = booking.saving.failure { booking.message = "not saved: \(failure)" }
    }
    let kept = booking.kept
    booking.saving.save { $0 = kept }
  }

  private mutating func began() {
    message = nil
    inputCount += 1
  }

  /// The part that the next run of the program needs.
  var kept: Kept {
    Kept(path: navigation.wanted, destination: destination, user: user, drafts: drafts, tickets: tickets)
  }

  /// Whether the next line is read.
  var isReading: Bool { input == .open }

  /// Whether the program ends.
  var isOver: Bool {
    switch input {
    case .open: false
    case .ended: navigation.isSettled
    case .quit: true
    }
  }

  static func connect(to store: Store<Booking, Action>, window: Window, storage: FileStorage<Kept>) {
    // Long-running, so that the program can settle while a screen slides.
    store.connect(
      RoutingEffect<Screen> { step in await window.perform(step) }, to: \.navigation,
      action: Action.navigation, longRunning: true)
    store.connect(window, props: Content.init)
    store.connect(StorageEffect(storage), to: \.saving, action: Action.storage)
  }
}
