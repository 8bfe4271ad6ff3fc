import Millrace
import TestSupport

/// What a random feature connects to its state or to a part of it.
struct FeaturePlan: Sendable {
  enum Lifetime: String, CaseIterable, Sendable {
    case child
    case bare
    case rows
    case on
    case computed
  }

  enum Effect: Sendable {
    /// One request for each identity.
    case typed(RequestReplacement)
    /// On the store's whole state.
    case whole(RequestReplacement)
    /// Through a scope.
    case scoped(RequestReplacement)
    /// One-line effects, of a set of requests and of one.
    case line
    case one
    /// Within policies, on a clock. Its bodies are executed, and end as the test says.
    case timed([Layer])

    /// Whether a value of an identity that has a run is passed over.
    var ignores: Bool {
      switch self {
      case .typed(let replacement), .whole(let replacement), .scoped(let replacement): replacement == .ignore
      case .line, .one, .timed: false
      }
    }

    var isTimed: Bool { if case .timed = self { true } else { false } }
  }

  /// The lifetimes that lead to it, and a number.
  let name: String
  let effects: [(name: String, keys: Range<Int>, effect: Effect)]
  let lifetimes: [(kind: Lifetime, plan: FeaturePlan)]
  let hasComponent: Bool
  /// The action that is dispatched when it is connected.
  let greeting: UInt64?
  /// Whether the last effect is connected only if something is asked for at that moment.
  let readsState: Bool
  /// Whether the first effect is connected and ended again.
  let endsFirst: Bool

  /// - Parameter isTimed: whether effects may be within policies; by default, in half of the features. Those have no
  ///   closures that dispatch: a store may let a run through a throttle before what they dispatch ends the run.
  static func random(
    _ name: String = "root", depth: Int = 0, isTimed: Bool? = nil, using random: inout SeededGenerator
  ) -> FeaturePlan {
    let isTimed = isTimed ?? Bool.random(using: &random)
    func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let isGreeting = !isTimed && isOne(of: 3)
    var effects: [(name: String, keys: Range<Int>, effect: Effect)] = []
    for number in 0..<Int.random(in: depth == 0 ? 0...2 : 1...2, using: &random) {
      let keys = number * 3..<number * 3 + 3
      effects.append(("\(name)/\(number)", keys, Effect.random(isTimed: isTimed, using: &random)))
    }
    var lifetimes: [(kind: Lifetime, plan: FeaturePlan)] = []
    if depth < 2 {
      for kind in Lifetime.allCases where isOne(of: 3) {
        let name = name == "root" ? kind.rawValue : "\(name).\(kind.rawValue)"
        lifetimes.append(
          (kind, FeaturePlan.random(name, depth: depth + 1, isTimed: isTimed, using: &random)))
      }
    }
    return FeaturePlan(
      name: name, effects: effects, lifetimes: lifetimes, hasComponent: isOne(of: 4),
      greeting: isGreeting ? random.next() : nil, readsState: isOne(of: 5), endsFirst: isOne(of: 8))
  }

  /// Whether an effect in it is within policies.
  var isTimed: Bool { effects.contains { $0.effect.isTimed } || lifetimes.contains { $0.plan.isTimed } }

  /// Whether a component is in it.
  var isDisplayed: Bool { hasComponent || lifetimes.contains { $0.plan.isDisplayed } }

  /// The plan of an effect, by its name.
  func effect(named name: String) -> Effect? {
    effects.first { $0.name == name }?.effect
      ?? lifetimes.lazy.compactMap { $0.plan.effect(named: name) }.first
  }
}

extension FeaturePlan.Effect {
  static func random(isTimed: Bool, using random: inout SeededGenerator) -> Self {
    let replacement =
      [RequestReplacement.restart, .handOver, .ignore].randomElement(using: &random) ?? .restart
    return switch Int.random(in: 0..<(isTimed ? 8 : 6), using: &random) {
    case 0, 1: .typed(replacement)
    case 2: .whole(replacement)
    case 3: .scoped(replacement)
    case 4: .line
    case 5: .one
    default: .timed((0..<Int.random(in: 1...2, using: &random)).map { _ in .ofFeature(using: &random) })
    }
  }
}

/// Serves the wishes of some identities. Sends what was wished, or that it was refused.
struct WishEffect: EffectComponent {
  struct Refused: Error {}

  let keys: Range<Int>
  let replacement: RequestReplacement

  func id(of wish: Wish) -> Int { wish.key }
  func requests(in wishes: [Int: Int]) -> Set<Wish> {
    Set(wishes.filter { keys.contains($0.key) }.map { Wish(key: $0.key, value: $0.value) })
  }
  func run(_ wish: Wish, send: Send<FeatureAction>) async throws(Refused) {}
  func run(_ wishes: RequestUpdates<Wish>, send: Send<FeatureAction>) async throws(Refused) {}
  func action(for failure: Refused, of wish: Wish) -> FeatureAction { .refused(wish) }
}

/// Serves the wishes of some identities in a whole part.
struct WholeEffect: EffectComponent {
  let base: WishEffect

  var replacement: RequestReplacement { base.replacement }
  func id(of wish: Wish) -> Int { wish.key }
  func requests(in part: FeaturePart) -> Set<Wish> { part.wishes(in: base.keys) }
  func run(_ wish: Wish, send: Send<FeatureAction>) async {}
  func run(_ wishes: RequestUpdates<Wish>, send: Send<FeatureAction>) async {}
}

/// Gets the number of wishes. What it gets is nobody's concern.
final class WishCounter: Component {
  func update(_ props: Int) async {}
}

extension FeaturePlan {
  /// Connects it as a program would.
  ///
  /// - Parameter rows: the ids of the rows within which it is.
  func connect(to store: Store<FeaturePart, FeatureAction>, _ world: FeatureWorld, rows: [Int] = []) {
    let isAsking = !readsState || !store.state.wishes.isEmpty
    for (index, planned) in effects.enumerated() {
      if index == effects.count - 1, !isAsking { continue }
      let connection = connect(planned.effect, planned.name, planned.keys, to: store, world, rows)
      if index == 0, endsFirst { connection.disconnect() }
    }
    if hasComponent { store.connect(WishCounter(), props: \.wishes.count, named: "\(name)/component") }
    if let greeting { store.dispatch(.greeting(greeting)) }
    for (kind, plan) in lifetimes { connect(kind, plan, to: store, world, rows) }
  }

  private func connect(
    _ effect: Effect, _ name: String, _ keys: Range<Int>, to store: Store<FeaturePart, FeatureAction>,
    _ world: FeatureWorld, _ rows: [Int]
  ) -> Connection {
    let action = { @Sendable (action: FeatureAction) in FeatureAction.within(name, nil, action) }
    switch effect {
    case .typed(let replacement):
      return store.connect(
        WishEffect(keys: keys, replacement: replacement), to: \.wishes, action: action, named: name)
    case .whole(let replacement):
      return store.connect(WholeEffect(base: WishEffect(keys: keys, replacement: replacement)), named: name)
    case .scoped(let replacement):
      return store.scope(\.wishes, action: action)
        .connect(WishEffect(keys: keys, replacement: replacement), named: name)
    case .line:
      let wishes = { @Sendable (part: FeaturePart) in part.wishes(in: keys) }
      let failure = { @Sendable (_: WishEffect.Refused, wish: Wish) in FeatureAction.refused(wish) }
      return store.connect(
        when: wishes, action: action, failure: failure, named: name
      ) { _, _ throws(WishEffect.Refused) in }
    case .one: return store.connect(when: \.wish, named: name) { _, _ in }
    case .timed(let layers):
      let work = ErasedEffect(world.newWork(at: FeatureWorld.Place(effect: name, rows: rows)))
      let effect = layers.reversed().reduce(work) { $1.around($0, clock: world.clock, other: work) }
      let wishes = { @Sendable (part: FeaturePart) in Set(part.wishes(in: keys).map(\.number)) }
      return store.scope(computed: wishes, action: { action(.mark($0)) }).connect(effect, named: name)
    }
  }

  private func connect(
    _ kind: Lifetime, _ plan: FeaturePlan, to store: Store<FeaturePart, FeatureAction>, _ world: FeatureWorld,
    _ rows: [Int]
  ) {
    let action = { @Sendable (action: FeatureAction) in FeatureAction.within(kind.rawValue, nil, action) }
    switch kind {
    case .child: store.connectIfPresent(\.child, action: action) { plan.connect(to: $0, world, rows: rows) }
    case .bare:
      store.connectIfPresent(\.bare, action: action) { plan.connect(to: $0.scope(\.part), world, rows: rows) }
    case .rows:
      let action = { @Sendable (id: Int, action: FeatureAction) in FeatureAction.within("rows", id, action) }
      store.connectEach(\.rows, action: action) { plan.connect(to: $1, world, rows: rows + [$0]) }
    case .on: store.connect(while: \.isOn) { plan.connect(to: $0, world, rows: rows) }
    case .computed:
      let child = { @Sendable (part: FeaturePart) in part.isOn ? part.child : nil }
      store.connectIfPresent(computed: child, action: action) { plan.connect(to: $0, world, rows: rows) }
    }
  }

  /// The part to which a run belongs.
  static func part(of name: String, _ ids: [AnyHashable], in whole: FeaturePart) -> FeaturePart? {
    var (part, ids) = (whole, ids[...])
    for kind in name.prefix(while: { $0 != "/" }).split(separator: ".") {
      let next: FeaturePart?
      switch Lifetime(rawValue: String(kind)) {
      case .child, .computed: next = part.child?.id == ids.popFirst()?.base as? Int ? part.child : nil
      case .bare: next = part.bare?.part
      case .rows: next = (ids.popFirst()?.base as? Int).flatMap { part.rows[id: $0] }
      case .on: next = part.id == ids.popFirst()?.base as? Int ? part : nil
      case nil: next = part
      }
      guard let next else { return nil }
      part = next
    }
    return part
  }

  /// The ids of the rows within which an effect is.
  static func rows(of name: String, _ ids: [AnyHashable]) -> [Int] {
    var (rows, ids) = ([Int](), ids[...])
    for kind in name.prefix(while: { $0 != "/" }).split(separator: ".") {
      switch Lifetime(rawValue: String(kind)) {
      case .child, .computed, .on: ids = ids.dropFirst()
      case .rows: if let id = ids.popFirst()?.base as? Int { rows.append(id) }
      case .bare, nil: break
      }
    }
    return rows
  }
}
