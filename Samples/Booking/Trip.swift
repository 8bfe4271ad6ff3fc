/// A trip of the timetable.
struct Trip: Equatable, Sendable {
  let number: Int
  let time: String
  let route: String
  let price: String

  static let timetable = [
    Trip(number: 7, time: "09:20", route: "Harbour to Island", price: "24.00"),
    Trip(number: 9, time: "14:05", route: "Island to Lighthouse", price: "11.50"),
    Trip(number: 12, time: "18:40", route: "Island to Harbour", price: "24.00"),
  ]

  static subscript(number: Int) -> Trip? { timetable.first { $0.number == number } }
}

/// The entries for a booking that is not complete.
struct Draft: Codable, Hashable, Sendable {
  var seat: String?
  var name: String?

  /// The first step for which something is missing.
  var step: Screen.Step { seat == nil ? .seat : name == nil ? .name : .review }

  /// The seat, with a row from 1 to 20 and a letter from a to f, in the form `12a`; `nil` if the text is no seat.
  static func seat(_ text: String) -> String? {
    guard let letter = text.last?.lowercased(), ("a"..."f").contains(letter),
      let row = Int(text.dropLast()), (1...20).contains(row)
    else { return nil }
    return "\(row)\(letter)"
  }
}

/// A trip that has been booked.
struct Ticket: Codable, Hashable, Sendable {
  let trip: Int
  let seat: String
  let name: String
}
