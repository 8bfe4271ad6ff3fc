import Millrace

struct Socket: Sendable {}

actor Pool {
  let count = 4
  func next() async -> Socket { Socket() }
}

struct Sockets: Sendable {
  let pool: Pool
  // withWait
  func take() async -> Socket {
    await withWait(for: "a connection of \(pool.count)", inLine: true) { await pool.next() }
  }
}
