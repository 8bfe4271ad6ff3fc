import Millrace

protocol Selling: Sendable {
  var basket: [Int] { get set }
  var sold: Int? { get set }
}

/// Reads a part of the host before it changes another one.
func removeSold(from host: inout some Selling) {
  let sold = host.sold
  host.basket.removeAll { $0 == sold }
}
