import Foundation
import Millrace
import TestSupport
import Testing

@Suite("An immediate store and other threads") struct ImmediateThreadTests {
  @Test("what a thread dispatches is reduced on its stack, also while another one looks at the store")
  func callersStack() async throws {
    let (elsewhere, isOver) = (Lock(0), Lock(false))
    let store = Store(initialState: 0, on: .immediate) { (count: inout Int, step: Int) in
      count += step
      // Not the thread's name: Foundation drops one that is set before `start()` has returned.
      if Thread.current.threadDictionary["caller"] == nil { elsewhere.withLock { $0 += 1 } }
    }
    async let looking: Void = onOwnThread {
      while !isOver.withLock({ $0 }) { _ = store.activity }
    }
    let isLate = try await onOwnThread {
      Thread.current.threadDictionary["caller"] = true
      defer { isOver.withLock { $0 = true } }
      for number in 1...2_000 {
        store.dispatch(1)
        if store.state != number { return true }
      }
      return false
    }
    try await looking
    #expect(!isLate && store.state == 2_000)
    #expect(elsewhere.withLock { $0 } == 0)
  }
}
