import Millrace

/// A shopping list whose prices are looked up, and a search for goods. It knows nothing of time travel.
struct ShoppingList: Equatable, Sendable {
  struct Item: Identifiable, Equatable, Sendable {
    /// The name of the item.
    let id: String
    var price = Price.asked
  }

  struct Search: Equatable, Sendable {
    let query: String
    /// The names that were found; `nil` until the shop has answered.
    var found: [String]?
  }

  var items = KeyedArray<Item>()
  var search: Search?

  enum Action: Codable, Equatable, Sendable {
    case added(String)
    case dropped(String)
    /// An empty query ends the search.
    case searched(String)
    case priced(String, Price)
    case found(String, [String])
  }

  @Sendable static func reduce(_ list: inout ShoppingList, _ action: Action) {
    switch action {
    case .added(let name): if list.items[id: name] == nil { list.items.updateOrAppend(Item(id: name)) }
    case .dropped(let name): list.items.remove(id: name)
    case .searched(let query): list.search = query.isEmpty ? nil : Search(query: query)
    case .priced(let name, let price): list.items[id: name]?.price = price
    case .found(let query, let names): if list.search?.query == query { list.search?.found = names }
    }
  }

  /// The questions without an answer: the requests of both effects.
  var questions: [Question] {
    var questions = items.filter { $0.price == .asked }.map { Question.price($0.id) }
    if let search, search.found == nil { questions.append(.search(search.query)) }
    return questions
  }

  static func connect(to store: Store<ShoppingList, Action>, shop: Shop) {
    store.connect(SearchEffect(shop: shop))
    store.connect(PriceEffect(shop: shop))
  }
}

extension ShoppingList.Action: CustomStringConvertible {
  /// The question that the action answers.
  var answered: Question? {
    switch self {
    case .added, .dropped, .searched: nil
    case .priced(let name, _): .price(name)
    case .found(let query, _): .search(query)
    }
  }

  var description: String {
    switch self {
    case .added(let name): "add \(name)"
    case .dropped(let name): "drop \(name)"
    case .searched(let query): query.isEmpty ? "find nothing more" : "find \(query)"
    case .priced(let name, let price): "\(name): \(price)"
    case .found(let query, let names):
      "\"\(query)\": \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
    }
  }
}
