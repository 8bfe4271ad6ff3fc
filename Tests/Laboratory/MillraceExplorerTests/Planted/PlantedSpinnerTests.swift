import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Spinners that nothing takes away, and what is shown in their place.
@Suite struct PlantedSpinnerTests {
  /// A page whose reader may be refused by a circuit breaker.
  enum Page {
    enum Problem: Error, Hashable { case offline, gone }

    struct State: Hashable, Sendable {
      var page: Int?
      var isLoading = false
    }

    enum Action: Hashable, Sendable {
      case tapped(Int)
      case arrived
      case failed(Problem)
      case again
      case refused
    }

    /// A reader of pages, to be connected within policies.
    static let reader = Effect<Int, Action, Problem>(
      failure: { problem, _ in .failed(problem) }, run: { _, _ throws(Problem) in })

    static func explorer(
      forgets: Action?, _ connect: @escaping @Sendable (Store<State, Action>) -> Void
    ) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case forgets: break
        case .tapped(let page): state = State(page: page, isLoading: true)
        case .arrived, .failed, .refused: state = State()
        case .again: state.isLoading = true
        }
      } connect: {
        connect($0)
      }
      .userActions { $0.page == nil ? [.tapped(1), .tapped(2)] : [] }
      .outcomes(of: Int.self) { _ in
        [.answers(.arrived), .fails(Problem.offline), .fails(Problem.gone)]
      }
      .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
    }
  }

  @Test("spinner left on: the refusal of a circuit breaker is forgotten", arguments: [false, true])
  func refused(isRight: Bool) async throws {
    let explorer = Page.explorer(forgets: isRight ? nil : .refused) { store in
      let breaker = CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(10))
      store.connect(
        Page.reader.guarded(by: breaker, counting: { $0 == .offline }, action: { _, _ in .refused })
          .limited(to: 2),
        when: \.page, named: "page")
    }
    // swift-format-ignore
    try await explorer.check(isRight, moves: 6) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.tapped(1))
      if store.inProgress().contains(1) { store.fail(1, with: PlantedSpinnerTests.Page.Problem.offline) }
      store.send(.tapped(1))
      if store.inProgress().contains(1) { store.fail(1, with: PlantedSpinnerTests.Page.Problem.offline) }
      store.send(.tapped(1))
      if store.inProgress().contains(1) { store.answer(1, with: .refused) }
      let holds: (PlantedSpinnerTests.Page.State, RunningRequests) -> Bool = { state, running in !state.isLoading || !running.isEmpty }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }

  /// A folder with files, each of which is downloaded while its folder is open. A spinner is on meanwhile.
  enum Folders {
    struct File: Identifiable, Hashable, Sendable {
      let id: Int
      var isDownloading = true
    }

    struct Folder: Hashable, Sendable { var files: KeyedArray<File> = [File(id: 1), File(id: 2)] }

    struct State: Hashable, Sendable {
      var folder: Folder?
      var downloads = 0
    }

    enum FileAction: Hashable, Sendable { case downloaded, failed }

    enum FolderAction: Hashable, Sendable { case file(Int, FileAction) }

    enum Action: Hashable, Sendable {
      case opened
      case closed
      case folder(FolderAction)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .opened: state = State(folder: Folder(), downloads: 2)
        case .closed:
          state.folder = nil
          if isRight { state.downloads = 0 }
        case .folder(.file(let id, let action)):
          state.downloads -= 1
          state.folder?.files[id: id]?.isDownloading = false
          if action == .failed { state.folder?.files.remove(id: id) }
        }
      } connect: { store in
        store.connectIfPresent(\.folder, action: Action.folder) { folder in
          folder.connectEach(\.files, action: FolderAction.file) { id, file in
            file.connect(
              fallible(Int.self) { _ in FileAction.failed }.delayed(by: .seconds(1)),
              when: { $0.isDownloading ? id : nil }, named: "file")
          }
        }
      }
      .userActions { [$0.folder == nil ? .opened : .closed] }
      .outcomes(of: Int.self, sending: FileAction.self) { _ in [.answers(.downloaded), .fails(Offline())] }
      .always("each download counts") { state, running in state.downloads == running.count }
    }
  }

  @Test("spinner left on: the downloads of a closed folder count", arguments: [false, true])
  func closedFolder(isRight: Bool) async throws {
    let explorer = Folders.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 2) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.opened)
      store.send(.closed)
      let holds: (PlantedSpinnerTests.Folders.State, RunningRequests) -> Bool = { state, running in state.downloads == running.count }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
