import Millrace

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
