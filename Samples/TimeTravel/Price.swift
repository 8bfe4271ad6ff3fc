/// The price of an item.
enum Price: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The shop has not answered yet.
  case asked
  case cents(Int)
  /// The shop does not sell the item.
  case unknown

  var description: String {
    switch self {
    case .asked: "…"
    case .cents(let cents): "\(cents / 100).\(cents / 10 % 10)\(cents % 10)"
    case .unknown: "not sold"
    }
  }
}
