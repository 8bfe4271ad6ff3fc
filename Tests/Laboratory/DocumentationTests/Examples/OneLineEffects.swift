import Millrace
import MillraceTesting
import Testing

@Suite struct OneLineEffectExamples {
  /// A list whose rows are loaded, and a screen that shows one page or none.
  struct Reader: Equatable, Sendable {
    struct Row: Equatable, Sendable {
      var id: Int
      var text: String?
      var isWaiting: Bool { text == nil }
    }
    enum Screen: Equatable, Sendable {
      case list
      case reading(Page)
    }
    struct Page: Equatable, Sendable { var text: String? }

    var rows: [Row] = []
    var screen = Screen.list
  }

  enum AppAction: Sendable {
    case loaded(Int, String)
    case opened
    case page(String)
  }

  static func reduce(_ state: inout Reader, _ action: AppAction) {
    switch action {
    case .loaded(let id, let text):
      for index in state.rows.indices where state.rows[index].id == id { state.rows[index].text = text }
    case .opened: state.screen = .reading(Reader.Page())
    case .page(let text): if case .reading = state.screen { state.screen = .reading(Reader.Page(text: text)) }
    }
  }

  struct PageEffect: EffectComponent {
    func requests(in state: Reader.Page) -> Set<String> { state.text == nil ? ["page"] : [] }
    func run(_ request: String, send: Send<String>) async { await send("the \(request)") }
  }

  @Test("a one-line effect serves a set of requests")
  func requests() async {
    let rows = (1...2).map { Reader.Row(id: $0) }
    let store = Store(initialState: Reader(rows: rows), on: .immediate, reduce: Self.reduce)
    @Sendable func text(of id: Int) async -> String { "text \(id)" }
    // Store.connect(when:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(when: { Set($0.rows.filter(\.isWaiting).map(\.id)) }) { id, send in
      await send(.loaded(id, text(of: id)))
    }
    await store.settled()
    #expect(store.state.rows.map(\.text) == ["text 1", "text 2"])
  }

  @Test("what hangs on a case of an enum lives while the state is in that case")
  func cases() async {
    let store = Store(initialState: Reader(), on: .immediate, reduce: Self.reduce)
    // Store.connectIfPresent(computed:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connectIfPresent(
      computed: { if case .reading(let page) = $0.screen { page } else { nil } }, action: AppAction.page
    ) { page in
      page.connect(PageEffect())
    }
    store.dispatch(.opened)
    await store.settled()
    #expect(store.state.screen == .reading(Reader.Page(text: "the page")))
  }
}
