import RidesDomain

/// A command of a passenger, one a line.
enum Command: Hashable, Sendable {
  case act(Rides.Action)
  case wait(minutes: Int)
  case status

  /// Why a line is not a command.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let line: String
    var description: String { "'\(line)' is not a command" }
  }

  /// Reads a line; `nil` for an empty one and for a comment, which begins with `#`.
  static func parse(_ line: String) throws(Invalid) -> Command? {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let verb = words.first, !verb.hasPrefix("#") else { return nil }
    switch (verb, words.dropFirst().joined(separator: " ")) {
    case ("sign-in", let name) where !name.isEmpty: return .act(.account(.nameEntered(name)))
    case ("sign-out", ""): return .act(.account(.signedOut))
    case ("home", let place) where !place.isEmpty: return .act(.account(.movedHouse(to: Place(place))))
    case ("go", let place) where !place.isEmpty: return .act(.booking(.destinationChosen(Place(place))))
    case ("confirm", ""): return .act(.booking(.confirmed))
    case ("withdraw", ""): return .act(.booking(.withdrawn))
    case ("call-off", ""): return .act(.tracking(.calledOff))
    case ("retry", ""): return .act(.payment(.retried))
    case ("status", ""): return .status
    case ("wait", let count):
      guard let minutes = Int(count), (1...600).contains(minutes) else { break }
      return .wait(minutes: minutes)
    default: break
    }
    throw Invalid(line: words.joined(separator: " "))
  }
}
