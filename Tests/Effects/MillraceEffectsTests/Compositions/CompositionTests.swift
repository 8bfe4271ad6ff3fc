import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct CompositionTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("whatever policies are put around each other, one request at a time goes as a simple model says")
  func oneAtATime() async {
    let seeds = TestSize.seeds(150, full: 1_000)
    var (kinds, markCount) = (Set<String>(), 0)
    for seed in seeds {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      let layers = Layer.some(1...5, using: &random)
      let composition = Composition(layers: layers, script: RunScript(seed: seed))
      var model = CompositionModel(script: RunScript(seed: seed), layers: layers)
      var (time, asked, askings) = (Duration.zero, 0, [CompositionModel.Asking]())
      for number in 1...10 {
        let pause = Duration.microseconds(
          Int.random(in: 1...(number % 3 == 0 ? 20_000_000 : 3_000_000), using: &random))
        if asked != 0 { askings.append(.init(request: asked, start: time, end: time + pause)) }
        time += pause
        asked = number == 10 || Int.random(in: 0..<5, using: &random) == 0 ? 0 : number
        composition.ask(for: asked == 0 ? [] : [asked], at: time)
      }
      model.asked(askings)
      let marks = composition.marks.values
      let difference = zip(marks, model.marks).first { $0 != $1 }
      #expect(marks == model.marks, "MILLRACE_SEED=\(seed): \(layers) \(String(describing: difference))")
      #expect(composition.remains == [], "MILLRACE_SEED=\(seed): \(layers)")
      for layer in layers { kinds.insert(String("\(layer)".prefix { $0 != "(" })) }
      markCount += marks.count
    }
    if seeds.count >= 100 {
      #expect(kinds.count == Layer.kinds)
      #expect(markCount > 10 * seeds.count)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(
    "whatever policies are put around each other, any number of requests at once keep what each policy says")
  func sideBySide() async {
    for seed in TestSize.seeds(60, full: 300) {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      let layers = Layer.some(1...5, using: &random).filter {
        // The first is for one request at a time, the second runs one request several times at once.
        switch $0 {
        case .ignoringWhileRunning, .hedged: false
        default: true
        }
      }
      let composition = Composition(layers: layers, script: RunScript(seed: seed))
      var violations = Violations(layers: layers)
      var (time, asked) = (Duration.zero, Set<Int>())
      for number in 1...12 {
        time += .microseconds(Int.random(in: 1...5_000_000, using: &random))
        let next = number == 12 ? [] : Set((1...6).filter { _ in Bool.random(using: &random) })
        composition.ask(for: next, at: time) { violations.look(at: composition, asked: asked) }
        asked = next
        violations.look(at: composition, asked: asked)
      }
      #expect(violations.found == [], "MILLRACE_SEED=\(seed): \(layers)")
      #expect(composition.remains == [], "MILLRACE_SEED=\(seed): \(layers)")
    }
  }
}

/// What is seen of a composition that ought not to be.
private struct Violations {
  private let limit: Int?
  /// How far runs are apart at least, if nothing delays them after that.
  private let interval: Duration?
  private var seen = 0
  private var lastBegin: Duration?
  private(set) var found: [String] = []

  init(layers: [Layer]) {
    // A fallback runs the effect within outside of what is between.
    let outer = layers.prefix { if case .fallback = $0 { false } else { true } }
    limit = outer.compactMap { if case .limited(let count, _) = $0 { count } else { nil } }.min()
    interval =
      switch outer.count == layers.count ? layers.last : nil {
      case .throttled(let interval), .throttledFirst(let interval), .rateLimited(1, let interval),
        .rateRefused(1, let interval):
        interval
      default: nil
      }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func look(at composition: Composition, asked: Set<Int>) {
    let underWay = composition.work.underWay
    if Set(underWay).count < underWay.count { found.append("runs of one request overlap: \(underWay)") }
    if let limit, underWay.count > limit { found.append("\(underWay.count) at once, not \(limit)") }
    for mark in composition.marks.values[seen...] {
      seen += 1
      if !asked.contains(mark.mark.request) { found.append("nobody asks for \(mark)") }
      guard case .began = mark.mark else { continue }
      if let interval, let lastBegin, mark.time < lastBegin + interval { found.append("too soon: \(mark)") }
      lastBegin = mark.time
    }
  }
}
