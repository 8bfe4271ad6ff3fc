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

struct Drawing: Equatable, Sendable {
  var strokes: [Stroke] = []
  /// The strokes that are being sent to others.
  var unsent: Set<Int> = []

  enum Action: Equatable, Sendable {
    case drawn(Stroke)
    case pointerMoved
    case sent(Int)
  }

  static func reduce(_ drawing: inout Drawing, _ action: Action) {
    switch action {
    case .drawn(let stroke):
      drawing.unsent.insert(drawing.strokes.count)
      drawing.strokes.append(stroke)
    case .pointerMoved: break
    case .sent(let index): drawing.unsent.remove(index)
    }
  }

  static func connect(_ store: Store<Drawing, Action>) {
    store.connect(when: \.unsent) { index, send in await send(.sent(index)) }
  }
}

// Timeline
struct Desk: Equatable, Sendable {
  var drawing = Timeline<Drawing, Drawing.Action>(Drawing(), limit: 200)
}

enum DeskAction: Equatable, Sendable {
  case drawing(TimelineAction<Drawing.Action>)

  static func change(_ action: Drawing.Action) -> DeskAction { .drawing(.change(action)) }
}

// timeline
let reduceDrawing = timeline(Drawing.reduce) { action in action != .pointerMoved }

@Sendable func reduceDesk(_ desk: inout Desk, _ action: DeskAction) {
  switch action {
  case .drawing(let action): reduceDrawing(&desk.drawing, action)
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

  @Test("a timeline is looked back at, and effects run at its newest state alone")
  func timeline() async {
    let store = Store(initialState: Desk(), on: .immediate, reduce: reduceDesk)
    // Timeline.live
    store.connectIfPresent(\.drawing.live, action: DeskAction.change) { drawing in
      Drawing.connect(drawing)
    }
    store.dispatch(.drawing(.change(.drawn(Stroke()))))
    await store.settled()
    // Timeline.back
    store.dispatch(.drawing(.back))
    print(store.state.drawing.state.unsent, store.state.drawing.present.unsent)  // [0] []
    store.dispatch(.drawing(.live))
    #expect(store.state.drawing.steps.map(\.action) == [.drawn(Stroke()), .sent(0)])
    #expect(store.state.drawing.isLive)
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
    counter.dispatch(.incremented)
    await store.settled()
    #expect(counter.value.count == 1)

    let search = ObservedSlice(store.scope(\.search, action: AppAction.search))
    // ObservedSlice.binding
    let query = search.binding(\.query) { .queryChanged($0) }
    query.set("swift")
    #expect(query.get() == "swift")
  }
}
