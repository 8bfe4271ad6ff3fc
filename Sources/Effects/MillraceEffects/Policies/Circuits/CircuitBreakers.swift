import Millrace

/// A ``CircuitBreaker`` for each key, such as a host or an account, made when it is first needed.
///
/// ```swift
/// let breakers = CircuitBreakers { (host: String) in
///   CircuitBreaker(failureThreshold: 5, resetTimeout: .seconds(30))
/// }
/// ```
///
/// Used by `guarded(by:per:counting:action:)` and `guarded(by:per:counting:failure:)`. Several effects may share the
/// breakers. Breakers that are closed, count no failure and are not in use are removed from time to time, so that
/// rarely used keys cost nothing. All members can be used from any thread.
public final class CircuitBreakers<Key: Hashable & Sendable>: Sendable {
  private struct Table {
    var breakers: [Key: CircuitBreaker] = [:]
    /// The number of breakers at which unused ones are removed.
    var limit = 64

    mutating func forgetUnused() {
      var unused: [Key] = []
      var index = breakers.startIndex
      while index < breakers.endIndex {
        // A caller may still hold this breaker and report a failure to it.
        if isKnownUniquelyReferenced(&breakers.values[index]), breakers.values[index].isClean {
          unused.append(breakers[index].key)
        }
        breakers.formIndex(after: &index)
      }
      for key in unused { breakers[key] = nil }
      limit = max(64, 2 * breakers.count)
    }
  }

  private let table = Lock(Table())
  private let make: @Sendable (Key) -> CircuitBreaker

  /// Makes an empty set of breakers.
  ///
  /// - Parameter make: makes the closed breaker of a key. Called whenever the key has none, on any thread.
  public init(_ make: @escaping @Sendable (Key) -> CircuitBreaker) { self.make = make }

  /// The breaker of a key. Costs O(1) on average.
  public subscript(key: Key) -> CircuitBreaker {
    if let known = table.withLock({ $0.breakers[key] }) { return known }
    let new = make(key)
    return table.withLock { table in
      if let known = table.breakers[key] { return known }
      if table.breakers.count >= table.limit { table.forgetUnused() }
      table.breakers[key] = new
      return new
    }
  }

  /// The number of breakers.
  var count: Int { table.withLock { $0.breakers.count } }
}
