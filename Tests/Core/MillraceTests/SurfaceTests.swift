import Millrace
import MillraceTesting
import Testing

@Suite("What is connected in one line", .timeLimit(.minutes(10))) struct SurfaceTests {
  private struct Page: Identifiable, Equatable, Sendable {
    var id: Int
    var text = ""
  }

  private struct Desk: Equatable, Sendable {
    var asked: Set<Int> = []
    var answers: [Int: String] = [:]
    var page: Page?
  }

  private enum Action: Equatable, Sendable {
    case asked(Set<Int>)
    case answered(Int, String)
    case shown(Page?)
  }

  private let store = Store<Desk, Action>(initialState: Desk(), on: .immediate) { desk, action in
    switch action {
    case .asked(let numbers): desk.asked = numbers
    case .answered(let number, let text): desk.answers[number] = text
    case .shown(let page): desk.page = page
    }
  }

  private struct Odd: Error {}

  @Test("a set of requests is served, each by a run of its own, and those that leave it are stopped")
  func requests() async throws {
    let gate = Gate()
    store.connect(when: \.asked) { number, send in
      await gate.waitIgnoringCancellation()
      await send(.answered(number, "\(number)"))
    }
    try await store.dispatch(.asked([1, 2, 3]), reaching: gate, by: 3)
    store.dispatch(.asked([2, 3]))
    await store.settled(opening: gate)
    #expect(store.state.answers == [2: "2", 3: "3"])
    #expect(store.activity.fenced == 1)
  }

  @Test("a body that throws says what its failure becomes, in the store's actions and in its own")
  func failures() async {
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(when: \.asked, failure: { (_: Odd, number) in .answered(number, "odd") }) {
      number, send throws(Odd) in
      if number % 2 == 1 { throw Odd() }
      await send(.answered(number, "even"))
    }
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(
      when: { $0.asked.max() }, action: { .answered(0, $0) }, failure: { _, number in "\(number) failed" }
    ) { number, send in
      await send("\(number) begins")
      throw Odd()
    }
    await store.settled(after: .asked([1, 2]))
    #expect(store.state.answers == [0: "2 failed", 1: "odd", 2: "even"])
  }

  @Test("a lifetime by a closure begins anew with another id, as one by key path does")
  func identified() async {
    let begun = Recorder<String>()
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connectIfPresent(\.page, action: { $0 }) { page in begun.append("path \(page.state.id)") }
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connectIfPresent(computed: { $0.page }, action: { $0 }) { page in
      begun.append("closure \(page.state.id)")
    }
    for page in [Page(id: 1), Page(id: 1, text: "longer"), Page(id: 2), nil] { store.dispatch(.shown(page)) }
    #expect(begun.values.sorted() == ["closure 1", "closure 2", "path 1", "path 2"])
  }

  @Test("a component is connected to the store's whole state")
  func whole() async {
    let component = RecordingComponent<Int>()
    store.scope(computed: { $0.asked.count }).connect(component)
    await store.settled()
    await store.settled(after: .asked([5]))
    #expect(component.received.values == [0, 1])
  }
}
