import Millrace

/// A feature to record: orders are priced by an effect, and a slow audit goes on meanwhile.
enum Shop {
  struct State: Codable, Hashable, Sendable {
    var wanted: [String: Int] = [:]
    var prices: [String: Int] = [:]
    var audited: Set<Int> = []
    var audits: Set<Int> = []
    var failures: [String] = []
  }

  enum Action: Codable, Hashable, Sendable {
    case wanted(String, count: Int)
    case unwanted(String)
    case priced(String, Int)
    case failed(String)
    case auditAsked(Int)
    case audited(Int)
    case cleared
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let name, let count): state.wanted[name] = count
    case .unwanted(let name):
      state.wanted[name] = nil
      state.prices[name] = nil
    case .priced(let name, let price): state.prices[name] = price
    case .failed(let name): state.failures.append(name)
    case .auditAsked(let number): state.audits.insert(number)
    case .audited(let number):
      state.audits.remove(number)
      state.audited.insert(number)
    case .cleared: state = State()
    }
  }

  struct Failed: Error {
    let name: String
  }

  /// A request that is `Encodable`.
  struct Price: Codable, Hashable, Sendable {
    var name: String
    var count: Int
  }

  struct PriceEffect: EffectComponent {
    /// What a run does before it answers.
    var work: @Sendable (Price) async -> Void = { _ in }

    func id(of price: Price) -> String { price.name }
    func requests(in state: State) -> Set<Price> {
      Set(state.wanted.filter { state.prices[$0.key] == nil }.map { Price(name: $0.key, count: $0.value) })
    }
    func run(_ price: Price, send: Send<Action>) async throws(Failed) {
      await work(price)
      if price.name.isEmpty { throw Failed(name: "nothing") }
      await send(.priced(price.name, price.count * 10))
    }
    func action(for failure: Failed, of price: Price) -> Action { .failed(failure.name) }
  }

  /// A request that is not.
  struct Audit: Hashable, Sendable {
    let number: Int
  }

  private static let asked = { @Sendable (state: State) in Set(state.audits.map(Audit.init)) }

  static func connect(_ store: Store<State, Action>, prices: PriceEffect = PriceEffect()) {
    store.connect(prices, named: "prices")
    connectAudits(store)
  }

  static func connectAudits(_ store: Store<State, Action>) {
    store.connect(
      when: Self.asked, named: "audits"
    ) { audit, send in await send(.audited(audit.number)) }
  }

  static func store(_ state: State = State(), prices: PriceEffect = PriceEffect()) -> Store<State, Action> {
    let store = Store(initialState: state, reduce: Shop.reduce)
    connect(store, prices: prices)
    return store
  }
}
