import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Views of one slice are told together.
@Suite("Views", .timeLimit(.minutes(10))) @MainActor
struct ViewTests {
  @Test("C1: views that are connected one after the other each get the present props once, then every other")
  func oneAfterTheOther() async {
    let store = BoardStore(on: .serial)
    var views: [RecordingView] = []
    for round in 0..<4 {
      for _ in 0..<40 {
        let view = RecordingView()
        store.connect(view, to: \.count)
        views.append(view)
      }
      await store.settled()
      store.dispatchAndWait(.add(1))
      store.dispatchAndWait(.add(-1))  // back to what they have
      await store.settled()
      #expect(views.allSatisfy { $0.received.last == round })
      await store.send(.add(1))
      await store.settled()
    }
    for (number, view) in views.enumerated() {
      #expect(view.received == Array(number / 40...4))
    }
  }

  private struct Weak { weak let connected: AnyObject? }

  @Test("E7: nothing is left of views whose connections have ended")
  func ended() async throws {
    let store = BoardStore(on: .serial)
    let views = (0..<5).map { _ in RecordingView() }
    var connections = views.map { store.connect($0, to: \.count) }
    await store.settled()
    let watched = store.connectedObjects.map { Weak(connected: $0) }
    #expect(watched.count == 5)
    for connection in connections { connection.disconnect() }
    await store.settled()
    connections = []
    try await eventually { watched.allSatisfy { $0.connected == nil } }
    withExtendedLifetime(views) {}
  }

  @Test("C2: a view that another one disconnects as it is shown gets nothing any more")
  func disconnectedByAnother() async {
    let store = BoardStore(on: .serial)
    let quitters = (0..<4).map { _ in QuittingView() }
    for quitter in quitters { store.connect(quitter, to: \.count) }
    let views = (0..<200).map { _ in RecordingView() }
    let connections = views.map { store.connect($0, to: \.count) }
    await store.settled()
    for (number, quitter) in quitters.enumerated() {
      quitter.connections = connections.enumerated().filter { $0.offset % 5 == number }.map(\.element)
    }
    await store.send(.add(1))
    await store.settled()
    for (number, view) in views.enumerated() {
      #expect(view.received == (number % 5 < 4 ? [0] : [0, 1]))
    }
    for connection in connections.prefix(4) { await connection.finished() }
    #expect(store.activity.entries.count == 4 + 40)
    withExtendedLifetime((quitters, views)) {}
  }

  @Test("C2: disconnecting on another thread ends it before the next value, and finished() says when")
  func fromElsewhere() async {
    let store = BoardStore(on: .serial)
    let views = (0..<100).map { _ in RecordingView() }
    let connections = views.map { store.connect($0, to: \.count) }
    await store.settled()
    for round in 1...10 {
      store.dispatch(.add(1))
      await Task.detached {
        for connection in connections.prefix(round * 10) { connection.disconnect() }
        for connection in connections.prefix(round * 10) { await connection.finished() }
      }.value
      let got = views.prefix(round * 10).map(\.received)
      await store.settled()
      #expect(views.prefix(round * 10).map(\.received) == got)
    }
    #expect(store.activity.entries.isEmpty)
  }

  @Test("settled() of a scope waits for the views that were connected through it") func scopes() async {
    let store = BoardStore(on: .serial)
    let first = store.scope(\.count) { Board.Action.add($0) }
    let second = store.scope(\.count) { Board.Action.add($0) }
    let views = (0..<3).map { _ in RecordingView() }
    store.connect(views[0], to: \.count)
    first.connect(views[1], to: \.self)
    second.connect(views[2], to: \.self)
    await second.settled()
    #expect(views[2].received == [0])
    store.dispatchAndWait(.add(1))
    await first.settled()
    #expect(views[1].received == [0, 1])
    await store.settled()
    #expect(views.map(\.received) == [[0, 1], [0, 1], [0, 1]])
  }

  @Test("E7: views that come and go on a slice that never changes leave nothing") func comeAndGo() async {
    let store = BoardStore(on: .serial)
    for _ in 0..<1000 {
      store.connect(RecordingView(), to: \.count)
      await store.settled()
    }
    #expect(store.connectedCount < 200)
  }

  @Test("L5: views that go after they were shown are found, beside one that stays")
  func goneBesideOne() async {
    let store = BoardStore(on: .serial)
    let first = RecordingView()
    store.connect(first, to: \.count)
    for _ in 0..<100 {
      let view = RecordingView()
      store.connect(view, to: \.count)
      await store.settled()
      #expect(view.received == [0])
    }
    #expect(store.connectedCount < 20)
    withExtendedLifetime(first) {}
  }

  @Test("C1: views that come and go while others send get their values in order, and in the end the latest")
  func stress() async {
    let store = BoardStore(on: .serial)
    let sending = Task.detached {
      await onThreads(2) { _ in
        for _ in 0..<2000 { store.dispatch(.add(1)) }
      }
    }
    var views: [(view: RecordingView, connection: Connection)] = []
    for round in 0..<300 {
      let view = RecordingView()
      views.append((view, store.connect(view, to: \.count)))
      if round % 3 == 0 { views[round / 3].connection.disconnect() }
      if round % 7 == 0 { await Task.yield() }
    }
    await sending.value
    await store.settled()
    #expect(views.allSatisfy { zip($0.view.received, $0.view.received.dropFirst()).allSatisfy(<) })
    #expect(views.dropFirst(100).allSatisfy { $0.view.received.last == 4000 })
    #expect(store.activity.entries.count == 200)
  }
}

/// Ends connections when it gets its second props.
@MainActor private final class QuittingView: ViewComponent {
  var connections: [Connection] = []
  var props = -1 {
    didSet { for connection in connections { connection.disconnect() } }
  }
}
