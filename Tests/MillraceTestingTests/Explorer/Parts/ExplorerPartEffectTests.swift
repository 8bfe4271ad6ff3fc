import Millrace
import MillraceTesting
import Testing

/// To which part what is connected belongs.
@Suite struct ExplorerPartEffectTests {
  typealias Store = Millrace.Store<Loaders.State, Loaders.Action>

  /// What keeps the moves from being left out, of an explorer of the left and the right loader.
  private func undivided(_ connect: @escaping @Sendable (Store) -> Void) -> [String] {
    Loaders.explorer([Loaders.Action.left, Loaders.Action.right], asking: [1], connect: connect)
      .part(\.left) { if case .left = $0 { true } else { false } }
      .part(\.right) { if case .right = $0 { true } else { false } }
      .explore(depth: 2).undivided.map { String($0.prefix { $0 != " " }) }
  }

  @Test func anEffectOfASliceOfAPartBelongsToIt() {
    #expect(undivided { $0.connect(Watch<Int>(), to: \.left.shown) } == [])
    #expect(undivided { $0.connect(Watch<Int?>(), to: \.right.asked) } == [])
    #expect(undivided { $0.scope(\.left) { $0 }.connect(Watch<Int>(), to: \.shown) } == [])
    #expect(undivided { $0.scope(\.left) { $0 }.connect(when: { $0.asked }) { _, _ in } } == [])
    #expect(
      undivided { $0.scope(\.left) { $0 }.scope(computed: { $0.shown }) { $0 }.connect(Watch<Int>()) } == [])
  }

  @Test func anEffectOfAnotherSliceBelongsToNone() {
    #expect(undivided { $0.connect(Watch<Int>(), to: \.clicks, named: "clicks") } == ["clicks"])
    #expect(undivided { $0.connect(Watch<Bool>(), to: \.middle.isBroken, named: "middle") } == ["middle"])
    #expect(undivided { $0.connect(Watch<Loaders.State>(), to: \.self, named: "self") } == ["self"])
    #expect(undivided { $0.connect(Watch<Loaders.State>(), named: "whole") } == ["whole"])
    #expect(undivided { $0.connect(when: { $0.left.asked }, named: "closure") { _, _ in } } == ["closure"])
    #expect(undivided { $0.connect(Watch<Int>(), to: \.sum, named: "sum") } == ["sum"])
  }

  @Test func aLifetimeBelongsToNone() {
    #expect(undivided { $0.connect(while: { $0.left.isBroken }, named: "life") { _ in } } == ["life"])
  }

  @Test func componentsDecideNothing() {
    #expect(undivided { $0.connect(RecordingComponent<Int>(), props: { $0.clicks }) } == [])
  }

  private struct Watch<State: Equatable & Sendable>: EffectComponent {
    func requests(in state: State) -> Set<Int> { [] }
    func run(_ request: Int, send: Send<Loaders.Action>) async {}
  }
}

extension Loaders.State {
  fileprivate var sum: Int { left.shown + right.shown }
}
