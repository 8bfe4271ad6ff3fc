/// The contents of the screens.
struct Content: Equatable, Sendable {
  /// Whether the window shows everything wanted, and the user has not quit.
  let isSettled: Bool
  /// The number of the user's actions, so that a picture is drawn after each of them.
  let inputCount: Int
  let user: String?
  let drafts: [Int: Draft]
  let tickets: [Ticket]
  let destination: [Screen]?
  let message: String?

  init(_ booking: Booking) {
    (isSettled, inputCount) = (booking.navigation.isSettled && booking.input != .quit, booking.inputCount)
    (user, drafts, tickets) = (booking.user, booking.drafts, booking.tickets)
    (destination, message) = (booking.destination, booking.message)
  }

  /// The picture of a stack of screens, the newest last.
  func lines(on stack: [Screen]) -> [String] {
    guard let top = stack.last else { return [] }
    let place = stack.map(\.title).joined(separator: " > ")
    return [user.map { "\(place) (\($0))" } ?? place] + lines(of: top) + [message].compactMap { $0 } + [""]
  }

  private func lines(of screen: Screen) -> [String] {
    switch screen {
    case .trips:
      Trip.timetable.map { "\(pad($0.number)) \($0.time) \($0.route)" } + ["a number, or tickets"]
    case .trip(let number):
      [
        description(of: number),
        drafts[number] == nil ? "book, or back" : "book goes on with the draft; or back",
      ]
    case .book(let trip, .seat): [question("seat, such as 12a", drafts[trip]?.seat)]
    case .book(let trip, .name): [question("name", drafts[trip]?.name)]
    case .book(let trip, .review): [description(of: trip), "\(summary(of: trip)); book, or back"]
    case .tickets: tickets.isEmpty ? ["none yet"] : tickets.map(line)
    case .signIn:
      [question("your name, to go on to \(destination?.last?.title ?? "this")", nil), "or back"]
    case .discard(let trip): ["discard the draft of trip \(trip), \(summary(of: trip))? yes, or no"]
    }
  }

  private func description(of number: Int) -> String {
    Trip[number].map { "\($0.time) \($0.route), \($0.price)" } ?? "not in the timetable any more"
  }

  private func summary(of trip: Int) -> String {
    let draft = drafts[trip] ?? Draft()
    return (draft.seat.map { "seat \($0)" } ?? "no seat") + (draft.name.map { " for \($0)" } ?? "")
  }

  private func line(of ticket: Ticket) -> String {
    "\(description(of: ticket.trip)): seat \(ticket.seat) for \(ticket.name)"
  }

  private func question(_ text: String, _ answer: String?) -> String {
    answer.map { "\(text)? [\($0)]" } ?? "\(text)?"
  }

  private func pad(_ number: Int) -> String { number < 10 ? " \(number)" : "\(number)" }
}
