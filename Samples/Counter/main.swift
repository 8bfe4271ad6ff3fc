import Millrace
import MillraceTrace

let store = Store(initialState: Counter.State(), reduce: Counter.reduce)
// MILLRACE_TRACE=FILE in the environment records the program.
try store.recordIfAsked()
Counter.connect(to: store, fact: Divisors.fact(about:))

// One at a time: each number has its fact looked up.
for _ in 1...6 {
  store.dispatch(.incremented)
  await store.settled()
  print(store.state.fact ?? "nothing is known about \(store.state.count)")
}

// In a burst: the next number stops the lookup of the previous one, and only the last number gets its fact.
for _ in 1...22 { store.dispatch(.incremented) }
await store.settled()
print(store.state.fact ?? "nothing is known about \(store.state.count)")

await store.shutdown()
