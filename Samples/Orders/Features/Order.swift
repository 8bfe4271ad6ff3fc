/// One order of a customer.
struct Order: Hashable, Codable, Sendable {
  var customer: String
  /// The number of the order among those of its customer, from 1.
  var number: Int
  var isPacked = false

  /// The partition for all orders of the customer, in their order.
  func partition(of count: Int) -> Int {
    customer.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % count
  }
}
