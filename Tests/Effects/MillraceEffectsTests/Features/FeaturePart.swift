import Millrace
import TestSupport

/// A part of the state of a random feature, with parts within it. The whole state is one, too.
struct FeaturePart: Identifiable, Hashable, Sendable {
  let id: Int
  /// What its effects ask for: a value for each identity.
  var wishes: [Int: Int] = [:]
  var isOn = false
  private var children: [FeaturePart] = []
  private var bares: [FeaturePart] = []
  var rows: KeyedArray<FeaturePart> = []
  /// What was reduced; kept by the outermost part.
  var log: [FeatureAction] = []
  /// How many actions of closures may still change something.
  var greetings = 0

  init(id: Int, using random: inout SeededGenerator) {
    self.id = id
    isOn = Bool.random(using: &random)
    for key in 0..<Wish.keys where Int.random(in: 0..<3, using: &random) == 0 {
      wishes[key] = Int.random(in: 0..<3, using: &random)
    }
  }

  /// Present or not, and one of several.
  var child: FeaturePart? {
    get { children.first }
    set { children = newValue.map { [$0] } ?? [] }
  }

  /// Present or not, and always the same one.
  var bare: BarePart? {
    get { bares.first.map(BarePart.init) }
    set { bares = newValue.map { [$0.part] } ?? [] }
  }

  var wish: Wish? { wishes.min { $0.key < $1.key }.map { Wish(key: $0.key, value: $0.value) } }

  func wishes(in keys: Range<Int>) -> Set<Wish> {
    Set(wishes.filter { keys.contains($0.key) }.map { Wish(key: $0.key, value: $0.value) })
  }
}

/// A part without an id.
struct BarePart: Hashable, Sendable {
  var part: FeaturePart
}

/// A request of a random feature.
struct Wish: Codable, Hashable, Sendable {
  static let keys = 6
  let key: Int
  let value: Int

  /// Stands for it where requests are numbers.
  var number: Int { key * 8 + value }
}

indirect enum FeatureAction: Codable, Hashable, Sendable {
  case user(UInt64)
  case greeting(UInt64)
  case said(Wish, Int)
  case refused(Wish)
  case mark(Mark)
  /// An action of a part, or of an effect, on its way up.
  case within(String, Int?, FeatureAction)

  /// What it changes is drawn from this.
  private var seed: UInt64 {
    switch self {
    case .user(let seed), .greeting(let seed): seed
    case .said(let wish, let number): UInt64(100 + wish.key * 64 + wish.value * 16 + number)
    case .refused(let wish): UInt64(1000 + wish.key * 8 + wish.value)
    case .mark(let mark): UInt64(2000 + mark.request * 8 + mark.kind)
    case .within(_, _, let action): action.seed
    }
  }

  var isGreeting: Bool {
    switch self {
    case .greeting: true
    case .within(_, _, let action): action.isGreeting
    case .user, .said, .refused, .mark: false
    }
  }

  static func reduce(_ state: inout FeaturePart, _ action: FeatureAction) {
    state.log.append(action)
    if action.isGreeting {
      if state.greetings == 0 { return }
      state.greetings -= 1
    } else {
      state.greetings = 3
    }
    var random = SeededGenerator(seed: action.seed &* 0x9E37_79B9 &+ UInt64(state.log.count % 7))
    state.change(&random, depth: 0)
  }
}

extension Mark {
  fileprivate var kind: Int {
    switch self {
    case .began: 0
    case .halfway: 1
    case .done: 2
    case .failed: 3
    case .timedOut: 4
    case .dropped: 5
    case .refused: 6
    case .retrying: 7
    }
  }
}

extension FeaturePart {
  /// Changes something in it or in a part within it.
  fileprivate mutating func change(_ random: inout SeededGenerator, depth: Int) {
    if changeWithin(&random, depth: depth) { return }
    switch Int.random(in: 0..<(depth < 2 ? 12 : 6), using: &random) {
    case 0, 1: toggle(&random)
    case 2:
      toggle(&random)
      toggle(&random)
    case 3:
      for key in wishes.keys.sorted() where Bool.random(using: &random) {
        wishes[key] = (wishes[key]! + 1) % 3
      }
    case 4, 5: isOn.toggle()
    case 6, 7:
      let id = Int.random(in: 0..<3, using: &random)
      child = id == 0 || id == child?.id ? nil : FeaturePart(id: id, using: &random)
    case 8: bare = bare == nil ? BarePart(part: FeaturePart(id: 0, using: &random)) : nil
    case 9:
      let id = Int.random(in: 0..<4, using: &random)
      if rows.remove(id: id) == nil { rows.append(FeaturePart(id: id, using: &random)) }
    case 10: rows.reverse()
    default:
      if let id = rows.first?.id { rows.updateOrAppend(FeaturePart(id: id, using: &random)) }
      if let bare { self.bare = BarePart(part: FeaturePart(id: bare.part.id + 1, using: &random)) }
    }
  }

  private mutating func toggle(_ random: inout SeededGenerator) {
    let key = Int.random(in: 0..<Wish.keys, using: &random)
    wishes[key] = wishes[key] == nil ? Int.random(in: 0..<3, using: &random) : nil
  }

  private mutating func changeWithin(_ random: inout SeededGenerator, depth: Int) -> Bool {
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard var part = child else { return false }
      part.change(&random, depth: depth + 1)
      child = part
    case 1:
      guard var part = bare?.part else { return false }
      part.change(&random, depth: depth + 1)
      bare = BarePart(part: part)
    case 2:
      guard var part = rows.randomElement(using: &random) else { return false }
      part.change(&random, depth: depth + 1)
      rows[id: part.id] = part
    default: return false
    }
    return true
  }
}
