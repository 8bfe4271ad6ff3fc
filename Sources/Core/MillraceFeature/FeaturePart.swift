import Millrace

/// A feature or a part of one, as a value: the connections that one call of a `connect` function or of a lifetime's
/// closure has made.
///
/// Its inputs say what happened; it adds what a store decides to a ``FeatureTurn``. The state is the one that the
/// wiring's store looks at. Copies evolve independently. Nothing is executed.
package struct FeaturePart {
  private enum Step {
    case connects(Int)
    case sends(SentAction)
  }

  /// The number of the part, unique in its feature.
  package let number: Int
  /// The connected components and views.
  package let components: [ConnectionIdentity]
  private let steps: [Step]
  /// The number of steps that the `connect` function has made. It is called from outside: actions that it or its
  /// lifetimes dispatch are reduced before its next step. The connections of a lifetime's closure, by contrast, are all
  /// made at the end of one turn.
  private var made = 0
  /// The effects, then the lifetimes, whose parts contain further places.
  package private(set) var places: [FeaturePlace]

  /// - Parameters:
  ///   - path: the path to this part from the feature.
  ///   - name: the name of the connection whose closure was called.
  package init(_ wiring: Wiring, _ context: FeatureContext, path: [Int] = [], name: String = "connect") {
    number = context.nextPart(wiring)
    let statements = wiring.lasting
    var (effects, lifetimes) = ([FeaturePlace](), [FeaturePlace]())
    let effectCount = statements.count { if case .effect = $0 { true } else { false } }
    var (components, steps) = ([ConnectionIdentity](), [Step]())
    for statement in statements {
      switch statement {
      case .effect(let wired):
        steps.append(.connects(effects.count))
        effects.append(FeaturePlace(effect: context.effect(wired, path + [effects.count])))
      case .lifetime(let wired):
        let index = effectCount + lifetimes.count
        steps.append(.connects(index))
        lifetimes.append(FeaturePlace(lifetime: FeatureLifetime(wired, context, path: path + [index])))
      case .component(let connection): components.append(connection)
      case .sends(let action): steps.append(.sends(SentAction(action: action, part: number, name: name)))
      }
    }
    (self.components, self.steps, places) = (components, steps, effects + lifetimes)
  }

  // MARK: Inputs

  /// The store looks at another state.
  ///
  /// - Returns: the new value; `nil` if nothing is decided.
  package func sliceChanged(_ turn: inout FeatureTurn) -> FeaturePart? {
    var next: FeaturePart?
    for index in places.indices where places[index].isConnected {
      guard let place = places[index].sliceChanged(&turn) else { continue }
      if next == nil { next = self }
      next?.places[index] = place
    }
    return next
  }

  /// The `connect` function begins, or continues after an action that it has dispatched, until it dispatches the next
  /// one.
  ///
  /// - Returns: `false` if it had already returned.
  package mutating func goesOn(_ turn: inout FeatureTurn) -> Bool {
    if made == steps.count { return false }
    while made < steps.count, !turn.hasSent {
      switch steps[made] {
      case .connects(let index): connectionMade(index, &turn)
      case .sends(let sent): turn.send([sent])
      }
      made += 1
    }
    return true
  }

  /// A lifetime's closure has returned.
  mutating func began(_ turn: inout FeatureTurn) {
    turn.send(steps.compactMap { if case .sends(let sent) = $0 { sent } else { nil } })
    turn.begunParts += 1
    for index in places.indices { connectionMade(index, &turn) }
    turn.begunParts -= 1
  }

  func ended(_ turn: inout FeatureTurn) {
    turn.endedParts += 1
    for place in places where place.isConnected { _ = place.ended(&turn) }
    turn.endedParts -= 1
  }

  package mutating func connectionMade(_ index: Int, _ turn: inout FeatureTurn) {
    places[index].isConnected = true
    places[index] = places[index].sliceChanged(&turn) ?? places[index]
  }

  package mutating func connectionEnded(_ path: [Int], _ turn: inout FeatureTurn) {
    change(path[...]) { $0 = $0.ended(&turn) }
  }

  /// The body of a run has returned.
  package mutating func runReturned(_ run: FeatureRun, leavingValue: Bool = false, _ turn: inout FeatureTurn)
  {
    change(run.place[...]) { $0.effect?.runReturned(run.generation, leavingValue: leavingValue, &turn) }
  }

  /// Recorded snapshots replace the runs of the effects that pass a test.
  package mutating func snapshotTakenUp(
    _ turn: inout FeatureTurn, where isMeant: (ConnectionIdentity) -> Bool
  ) {
    for index in places.indices where places[index].isConnected {
      if let effect = places[index].effect, isMeant(effect.connection) {
        places[index].effect?.snapshotTakenUp(&turn)
      }
      places[index].lifetime?.changeParts { $0.snapshotTakenUp(&turn, where: isMeant) }
    }
  }

  /// Changes a place in this part or within its parts, if it still exists.
  package mutating func change(_ path: ArraySlice<Int>, _ body: (inout FeaturePlace) -> Void) {
    guard let index = path.first else { return }
    if path.count == 1 { return body(&places[index]) }
    places[index].lifetime?.changePart(path[path.startIndex + 1]) { $0.change(path.dropFirst(2), body) }
  }

  // MARK: Lookups

  package var hasLifetimes: Bool { places.contains { $0.lifetime != nil } }

  /// Calls `body` with this part and with the living parts within it.
  package func forEachPart(_ body: (FeaturePart) -> Void) {
    body(self)
    for part in places.flatMap({ $0.lifetime?.parts ?? [] }) { part.forEachPart(body) }
  }

  /// Adds the identity of this part within its feature to a key. The order of a lifetime's parts does not matter.
  package func identify(in key: inout [Int64]) {
    key.append(Int64(number) << 32 | Int64(made))
    for place in places {
      if let effect = place.effect { key.append(place.isConnected ? Int64(effect.number) : -1) }
      guard let parts = place.lifetime?.parts else { continue }
      key.append(Int64(parts.count))
      for part in parts.count < 2 ? parts : parts.sorted(by: { $0.number < $1.number }) {
        part.identify(in: &key)
      }
    }
  }
}

/// A connected effect or lifetime, as a value.
package struct FeaturePlace {
  package fileprivate(set) var isConnected = false
  package var effect: (any FeatureEffect)?
  fileprivate var lifetime: FeatureLifetime?

  package var connection: ConnectionIdentity? { effect?.connection ?? lifetime?.connection }

  fileprivate func sliceChanged(_ turn: inout FeatureTurn) -> FeaturePlace? {
    var next = self
    if let effect = effect?.sliceChanged(&turn) {
      next.effect = effect
    } else if let lifetime = lifetime?.sliceChanged(&turn) {
      next.lifetime = lifetime
    } else {
      return nil
    }
    return next
  }

  fileprivate func ended(_ turn: inout FeatureTurn) -> FeaturePlace {
    FeaturePlace(effect: effect?.ended(&turn), lifetime: lifetime?.ended(&turn))
  }
}
