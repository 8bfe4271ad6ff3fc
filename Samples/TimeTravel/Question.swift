/// A question of the list to the shop.
enum Question: Codable, Hashable, Sendable, CustomStringConvertible {
  case search(String)
  case price(String)

  var description: String {
    switch self {
    case .search(let query): "search \"\(query)\""
    case .price(let item): "price \(item)"
    }
  }
}
