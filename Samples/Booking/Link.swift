/// Links such as `trip/7/seat`.
enum Link {
  /// The place of a mistake in a link, in one line.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  /// Returns the screens of a link, beginning with its parents, so that going back is possible.
  static func screens(for link: String) throws(Invalid) -> [Screen] {
    var parts = link.split(separator: "/", omittingEmptySubsequences: false)[...]
    var screens = [Screen.trips]
    switch parts.popFirst() {
    case "trips": break
    case "tickets": screens.append(.tickets)
    case "trip":
      let trip = try trip(parts.popFirst(), in: link)
      screens.append(.trip(trip))
      if parts.first == "seat" {
        parts.removeFirst()
        screens.append(.book(trip, .seat))
      }
    case let part: throw Invalid(description: "there is no '\(part ?? "")' to open in the link '\(link)'")
    }
    if let part = parts.first { throw Invalid(description: "'\(part)' leads nowhere in the link '\(link)'") }
    return screens
  }

  private static func trip(_ part: Substring?, in link: String) throws(Invalid) -> Int {
    guard let part, let number = Int(part) else {
      throw Invalid(description: "a trip has a number, not '\(part ?? "")', in the link '\(link)'")
    }
    guard Trip[number] != nil else { throw Invalid(description: "there is no trip \(number)") }
    return number
  }
}
