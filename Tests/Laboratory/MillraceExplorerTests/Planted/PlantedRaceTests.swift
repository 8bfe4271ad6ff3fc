import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Bugs that show where answers come in another order than their requests.
@Suite struct PlantedRaceTests {
  /// Two imports, each of which adds to the number of entries that it found when it began.
  enum Import {
    enum Source: Hashable, Sendable { case contacts, calendar }

    struct State: Hashable, Sendable {
      var entries = 0
      var imported: Set<Source> = []
      /// The number of entries when the import began.
      var importing: [Source: Int] = [:]
    }

    enum Action: Hashable, Sendable {
      case tapped(Source)
      case arrived(Source, total: Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .tapped(let source):
          if !state.imported.contains(source) { state.importing[source] = state.entries }
        case .arrived(let source, let total):
          guard let before = state.importing.removeValue(forKey: source) else { return }
          state.entries = isRight ? state.entries + total - before : total
          state.imported.insert(source)
        }
      } connect: { store in
        store.connect(when: { $0.importing[.contacts] }, named: "contacts") { _, _ in }
        store.connect(when: { $0.importing[.calendar] }, named: "calendar") { _, _ in }
      }
      .userActions { _ in [.tapped(.contacts), .tapped(.calendar)] }
      .outcomes(of: Int.self, from: "contacts") { [.answers(.arrived(.contacts, total: $0 + 10))] }
      .outcomes(of: Int.self, from: "calendar") { [.answers(.arrived(.calendar, total: $0 + 5))] }
      .always("no entry is lost") { state in
        state.entries
          == (state.imported.contains(.contacts) ? 10 : 0) + (state.imported.contains(.calendar) ? 5 : 0)
      }
    }
  }

  @Test("race of two effects: each adds to a number that it has read", arguments: [false, true])
  func twoImports(isRight: Bool) async throws {
    try await Import.explorer(isRight).check(isRight, moves: 4)
  }

  /// A feed whose next page is appended, and whose refresh begins again with the first page.
  enum Feed {
    struct State: Hashable, Sendable {
      var items = [0, 1, 2, 3]
      var isRefreshing = false
      /// The number of items after which the next page begins.
      var next: Int?
    }

    enum Action: Hashable, Sendable {
      case refreshed, scrolled
      case first([Int])
      case more([Int])
      case failed
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .refreshed:
          state.isRefreshing = true
          if isRight { state.next = nil }
        case .scrolled: if !isRight || !state.isRefreshing { state.next = state.items.count }
        case .first(let items): (state.items, state.isRefreshing) = (items, false)
        case .more(let items): (state.items, state.next) = (state.items + items, nil)
        case .failed: (state.isRefreshing, state.next) = (false, nil)
        }
      } connect: { store in
        store.connect(when: { $0.isRefreshing ? "first" : nil }, named: "refresh") { _, _ in }
        store.connect(
          fallible(Int.self) { _ in Action.failed }.timingOut(
            after: .seconds(30), failure: { _ in Offline() }),
          when: \.next, named: "more")
      }
      .userActions { $0.items.count < 6 ? [.refreshed, .scrolled] : [.refreshed] }
      .outcomes(of: String.self) { _ in [.answers(.first([0, 1]))] }
      .outcomes(of: Int.self) { [.answers(.more([$0, $0 + 1])), .fails(Offline())] }
      .always("there is no gap") { $0.items == Array(0..<$0.items.count) }
    }
  }

  @Test("race of two effects: a refresh while the next page is loaded", arguments: [false, true])
  func refreshAndNextPage(isRight: Bool) async throws {
    try await Feed.explorer(isRight).check(isRight, moves: 4)
  }
}
