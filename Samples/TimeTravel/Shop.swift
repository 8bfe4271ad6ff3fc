/// A shop that answers questions after a while.
struct Shop: Sendable {
  /// Waits for as long as the answer to a question takes. Throws if the run is stopped meanwhile.
  let wait: @Sendable (Question) async throws -> Void

  /// The prices in cents.
  private static let prices = [
    "bread": 280, "butter": 310, "coffee": 690, "milk": 120, "tea": 240, "teapot": 1900, "toast": 150,
  ]

  /// The names of goods that contain the query, in alphabetical order; `nil` if the run is stopped.
  func find(_ query: String) async -> [String]? {
    guard (try? await wait(.search(query))) != nil else { return nil }
    return Self.prices.keys.filter { $0.contains(query) }.sorted()
  }

  /// The price of an item; `nil` if the run is stopped.
  func price(of item: String) async -> Price? {
    guard (try? await wait(.price(item))) != nil else { return nil }
    return Self.prices[item].map(Price.cents) ?? .unknown
  }
}

extension Shop {
  /// A shop whose answers take time on a clock: 2 seconds for a search, 5 for a price, so that the user can look back
  /// meanwhile.
  init(clock: some Clock<Duration>) {
    self.init { question in
      switch question {
      case .search: try await clock.sleep(for: .seconds(2))
      case .price: try await clock.sleep(for: .seconds(5))
      }
    }
  }
}
