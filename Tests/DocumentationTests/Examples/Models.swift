import Millrace
import MillraceTesting
import Testing

struct Stroke: Equatable, Sendable { var length = 1 }

// Undoable
struct Sketch: Equatable, Sendable {
  var strokes = Undoable([Stroke](), limit: 20)
}

extension Sketch {
  enum Action: Equatable, Sendable {
    case drawn(Stroke)
    case selected
  }

  static func reduceStrokes(_ strokes: inout [Stroke], _ action: Action) {
    if case .drawn(let stroke) = action { strokes.append(stroke) }
  }
}

@Suite struct ModelExamples {
  private let store = Store(initialState: App(), on: .immediate, reduce: reduceWholeApp)

  @Test("a reducer records what can be undone")
  func undo() {
    // undoable
    let reduceStrokes = undoable(Sketch.reduceStrokes) { action in action != .selected }
    var sketch = Sketch()
    reduceStrokes(&sketch.strokes, .change(.drawn(Stroke())))
    reduceStrokes(&sketch.strokes, .undo)
    #expect(sketch.strokes.present.isEmpty)
  }

  @Test("a state is waited for")
  func first() async {
    store.connect(SearchEffect(client: SearchClient()), to: \.search, action: AppAction.search)
    store.dispatch(.search(.queryChanged("swift")))
    // Store.first
    let done = await store.first { $0.search.results.count > 0 }
    #expect(done?.search.results == ["swift.org"])
  }

  @Test("a slice is observed, and bound to a field") @MainActor
  func observed() async {
    // ObservedSlice
    let counter = ObservedSlice(store.scope(\.counter, action: AppAction.counter))
    counter.send(.incremented)
    await store.settled()
    #expect(counter.value.count == 1)

    let search = ObservedSlice(store.scope(\.search, action: AppAction.search))
    // ObservedSlice.binding
    let query = search.binding(\.query) { .queryChanged($0) }
    query.set("swift")
    #expect(query.get() == "swift")
  }
}
