import Millrace

/// Looks up the price of each item without one, all at the same time.
struct PriceEffect: EffectComponent {
  let shop: Shop

  func requests(in list: ShoppingList) -> Set<Question> {
    Set(list.questions.filter { if case .price = $0 { true } else { false } })
  }

  func run(_ question: Question, send: Send<ShoppingList.Action>) async {
    guard case .price(let item) = question, let price = await shop.price(of: item) else { return }
    await send(.priced(item, price))
  }
}
