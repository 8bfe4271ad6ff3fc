extension Booking {
  static let usage = "back, < (a swipe back), home, open trip/7/seat, help, quit; or what the screen asks for"

  /// Performs a line: a command, or the answer to the newest screen.
  mutating func typed(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    switch words.first ?? "" {
    case "back" where words.count == 1: back()
    case "home" where words.count == 1: go(to: [.trips])
    case "help" where words.count == 1: message = Self.usage
    case "quit" where words.count == 1: input = .quit
    case "open" where words.count == 2:
      do { go(to: try Link.screens(for: String(words[1]))) } catch { message = "\(error)" }
    default: answer(text)
    }
  }

  private mutating func answer(_ text: String) {
    guard let top = navigation.wanted.top else { return }
    switch top.screen {
    case .trips where text == "tickets": go(to: [.trips, .tickets])
    case .trips:
      if let number = Int(text), Trip[number] != nil {
        go(to: [.trips, .trip(number)])
      } else {
        message = "there is no trip '\(text)'"
      }
    case .trip(let trip) where text == "book":
      go(to: place + [.book(trip, drafts[trip]?.step ?? .seat)])
    case .book(let trip, let step): enter(text, at: step, of: trip)
    case .signIn where !text.isEmpty:
      user = text
      proceed()
    case .discard(let trip) where text == "yes":
      drafts[trip] = nil
      proceed()
    case .discard where text == "no": stay()
    case .trip, .tickets, .signIn, .discard: message = "this screen does not understand '\(text)'; try help"
    }
  }

  /// Takes the text of a step of the wizard and shows the next step. An empty text keeps the present value.
  private mutating func enter(_ text: String, at step: Screen.Step, of trip: Int) {
    guard let top = navigation.wanted.top else { return }
    var draft = drafts[trip] ?? Draft()
    switch step {
    case .seat:
      guard let seat = text.isEmpty ? draft.seat : Draft.seat(text) else {
        message = "'\(text)' is no seat"
        return
      }
      draft.seat = seat
      navigation.change(top.id, to: .book(trip, .name))
    case .name:
      guard let name = text.isEmpty ? draft.name : text else {
        message = "a name is missing"
        return
      }
      draft.name = name
      navigation.change(top.id, to: .book(trip, .review))
    case .review:
      guard text == "book", let seat = draft.seat, let name = draft.name else {
        message = "type book, or back"
        return
      }
      tickets.append(Ticket(trip: trip, seat: seat, name: name))
      drafts[trip] = nil
      return go(to: [.trips, .tickets])
    }
    drafts[trip] = draft
  }
}
