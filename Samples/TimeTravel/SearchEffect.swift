import Millrace

/// Searches the shop for the query. The next query stops the search for the previous one.
struct SearchEffect: EffectComponent {
  let shop: Shop

  func requests(in list: ShoppingList) -> Set<Question> {
    Set(list.questions.filter { if case .search = $0 { true } else { false } })
  }

  func run(_ question: Question, send: Send<ShoppingList.Action>) async {
    guard case .search(let query) = question, let names = await shop.find(query) else { return }
    await send(.found(query, names))
  }
}
