/// The screens of the program.
enum Screen: Codable, Hashable, Sendable {
  case trips
  case trip(Int)
  /// The wizard: one screen, which shows one step after the other.
  case book(Int, Step)
  case tickets
  // Modal screens, above all others.
  case signIn
  /// Asks whether to discard the draft of a trip.
  case discard(Int)

  enum Step: Int, Codable, Hashable, Sendable {
    case seat, name, review

    var previous: Step? { Step(rawValue: rawValue - 1) }
  }

  /// Whether the screen asks a question that must be answered before anything else.
  var isModal: Bool {
    switch self {
    case .signIn, .discard: true
    case .trips, .trip, .book, .tickets: false
    }
  }

  /// Whether the screen requires a signed-in user.
  var needsUser: Bool {
    switch self {
    case .book, .tickets: true
    case .trips, .trip, .signIn, .discard: false
    }
  }

  /// The trip that is booked on the screen.
  var bookedTrip: Int? { if case .book(let trip, _) = self { trip } else { nil } }

  var title: String {
    switch self {
    case .trips: "Trips"
    case .trip(let number): "Trip \(number)"
    case .book(_, let step): "Book: \(step)"
    case .tickets: "Tickets"
    case .signIn: "Sign in"
    case .discard: "Discard?"
    }
  }
}
