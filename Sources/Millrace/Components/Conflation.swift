/// Decides what a component gets next: values come at any pace, at most one waits, none comes twice in a row.
///
/// The two values lie in raw memory, since handling optionals of a generic type costs more than all the rest.
struct Conflation<Value: Equatable> {
  /// Two places; made when the first value comes.
  private var places: UnsafeMutablePointer<Value>?
  /// Which of the places holds what was given last, if anything was. The other one is for what waits.
  private var lastPlace: UInt8 = 0
  private var hasLast = false
  /// Whether a value waits.
  private(set) var hasPending = false
  /// Whether somebody is serving it, and will ask for the next value.
  private(set) var isServing = false
  private var isEnded = false

  private var last: Int { Int(lastPlace) }

  /// - Returns: whether serving has to begin.
  mutating func valueArrived(_ value: UnsafePointer<Value>) -> Bool {
    let places = madePlaces()
    if hasLast, places[last] == value.pointee {
      dropPending()
    } else if hasPending {
      (places + (1 - last)).update(from: value, count: 1)
    } else {
      (places + (1 - last)).initialize(from: value, count: 1)
      hasPending = true
    }
    if isServing || !hasPending { return false }
    isServing = true
    return true
  }

  /// Whoever serves is ready for the next value.
  ///
  /// - Returns: where the next value lies until serving advances again; `nil` if there is none, and serving has ended.
  mutating func servingAdvanced() -> UnsafePointer<Value>? {
    guard hasPending, let places else {
      isServing = false
      if isEnded { dropLast() }
      return nil
    }
    dropLast()
    lastPlace = 1 - lastPlace
    hasLast = true
    hasPending = false
    return UnsafePointer(places + last)
  }

  /// The connection has ended: nothing more is given.
  mutating func connectionEnded() {
    isEnded = true
    dropPending()
    if !isServing { dropLast() }  // what is being served may be in use
  }

  /// Ends its life. A struct has no `deinit` of its own, so its owner calls this.
  mutating func destroy() {
    dropPending()
    dropLast()
    places?.deallocate()
    places = nil
  }

  private mutating func madePlaces() -> UnsafeMutablePointer<Value> {
    if let places { return places }
    let made = UnsafeMutablePointer<Value>.allocate(capacity: 2)
    places = made
    return made
  }

  private mutating func dropPending() {
    if hasPending, let places { (places + (1 - last)).deinitialize(count: 1) }
    hasPending = false
  }

  private mutating func dropLast() {
    if hasLast, let places { (places + last).deinitialize(count: 1) }
    hasLast = false
  }
}
