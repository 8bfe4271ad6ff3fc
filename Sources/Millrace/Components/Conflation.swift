/// Decides what a component gets next: values come at any pace, at most one waits, none comes twice in a row.
/// Pure.
struct Conflation<Value: Equatable> {
  /// What the component got last.
  private var last: Value?
  /// What it gets next.
  private var pending: Value?
  /// Whether somebody is serving it, and will ask for the next value.
  private(set) var isServing = false

  /// - Returns: whether serving has to begin.
  mutating func valueArrived(_ value: Value) -> Bool {
    pending = value == last ? nil : value
    if isServing || pending == nil { return false }
    isServing = true
    return true
  }

  /// Whether a value waits.
  var hasPending: Bool { pending != nil }

  /// Whoever serves is ready for the next value.
  ///
  /// - Returns: the next value; `nil` if there is none, and serving has ended.
  mutating func servingAdvanced() -> Value? {
    guard let value = pending else {
      isServing = false
      return nil
    }
    pending = nil
    last = value
    return value
  }

  /// The connection has ended: nothing more is given.
  mutating func connectionEnded() {
    pending = nil
    last = nil
  }
}
