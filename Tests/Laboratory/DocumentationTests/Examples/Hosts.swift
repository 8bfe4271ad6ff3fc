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

struct Socket: Sendable {}

actor Pool {
  let count = 4
  func next() async -> Socket { Socket() }
}

struct Sockets: Sendable {
  let pool: Pool
  // withWaitReason
  func take() async -> Socket {
    await withWaitReason("a connection of \(pool.count)", queued: true) { await pool.next() }
  }
}
