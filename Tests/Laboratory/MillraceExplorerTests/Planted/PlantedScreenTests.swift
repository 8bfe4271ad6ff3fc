import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Bugs of screens and rows that come and go.
@Suite struct PlantedScreenTests {
  /// An editor on a stack of screens, which leaves when its text is saved.
  enum Editor {
    struct State: Hashable, Sendable {
      var screens = Navigation(["home", "list", "editor"])
      var isSaving = false
    }

    enum Action: Hashable, Sendable {
      case save
      case back
      case saved
      case routed(Navigation<String>.Action)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .save: state.isSaving = true
        case .back: state.screens.pop()
        case .saved:
          state.isSaving = false
          if !isRight || state.screens.wanted.entries.last?.screen == "editor" { state.screens.pop() }
        case .routed(let event): state.screens.reduce(event)
        }
      } connect: { store in
        store.connect(when: { $0.isSaving ? "text" : nil }, named: "save") { _, _ in }
        store.connect(RoutingEffect { _ in }, to: \.screens, action: Action.routed, named: "screens")
      }
      .userActions { $0.screens.wanted.entries.last?.screen == "editor" ? [.save, .back] : [] }
      .outcomes(of: String.self) { _ in [.answers(.saved)] }
      .outcomes(of: Navigation<String>.Step.self, sending: Navigation<String>.Action.self) {
        [.answers(.performed($0.number)), .answers(.failed($0.number, reason: "no window"))]
      }
      .always("the list stays") { $0.screens.wanted.entries.contains { $0.screen == "list" } }
    }
  }

  @Test("popped twice: the user goes back while the text is saved", arguments: [false, true])
  func poppedTwice(isRight: Bool) async throws {
    let explorer = Editor.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.save)
      store.send(.back)
      if store.inProgress().contains("text") { store.answer("text", with: .saved) }
      let holds: (PlantedScreenTests.Editor.State) -> Bool = { $0.screens.wanted.entries.contains { $0.screen == "list" } }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  /// Photos that are uploaded when they appear. One that is removed can be brought back.
  enum Photos {
    struct Photo: Identifiable, Hashable, Sendable {
      let id: Int
      var isUploading = false
      var uploads = 0
    }

    struct State: Hashable, Sendable {
      var photos: KeyedArray<Photo> = [Photo(id: 1)]
      var removed: Photo?
    }

    enum Action: Hashable, Sendable {
      case removed
      case undone
      case photo(Int, PhotoAction)
    }

    enum PhotoAction: Hashable, Sendable { case appeared, uploaded }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .removed: state.removed = state.photos.remove(id: 1)
        case .undone:
          if let photo = state.removed { state.photos.append(photo) }
          state.removed = nil
        case .photo(let id, .appeared):
          state.photos.mutate(id: id) { if !isRight || $0.uploads == 0 { $0.isUploading = true } }
        case .photo(let id, .uploaded):
          state.photos.mutate(id: id) { ($0.isUploading, $0.uploads) = (false, $0.uploads + 1) }
        }
      } connect: { store in
        store.connectEach(\.photos, action: Action.photo, named: "photos") { id, photo in
          photo.connect(
            infallible(Int.self, sending: PhotoAction.self).timingOut(
              after: .seconds(9), action: { _ in .appeared }),
            when: { $0.isUploading ? id : nil }, named: "upload")
          photo.dispatch(.appeared)
        }
      }
      .userActions { [$0.removed == nil ? .removed : .undone] }
      .outcomes(of: Int.self, sending: PhotoAction.self) { _ in [.answers(.uploaded)] }
      .never("a photo is uploaded twice") { $0.photos.contains { $0.uploads > 1 } }
    }
  }

  @Test("recreated lifetime: a photo that is brought back is uploaded again", arguments: [false, true])
  func photoIsBroughtBack(isRight: Bool) async throws {
    let explorer = Photos.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 6) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress(in: 1).contains(1) { store.answer(1, in: 1, with: PlantedScreenTests.Photos.PhotoAction.uploaded) }
      store.send(.removed)
      store.send(.undone)
      if store.inProgress(in: 1).contains(1) { store.answer(1, in: 1, with: PlantedScreenTests.Photos.PhotoAction.uploaded) }
      let holds: (PlantedScreenTests.Photos.State) -> Bool = { $0.photos.contains { $0.uploads > 1 } }
      #expect(!holds(store.state))
      await store.finish()
    }
  }

  /// Folders with files of equal ids, each of which is loaded.
  enum Folders {
    struct File: Identifiable, Hashable, Sendable {
      let id: String
      var isLoaded = false
    }

    struct Folder: Identifiable, Hashable, Sendable {
      let id: Int
      var files: KeyedArray<File> = [File(id: "a")]
      var loads = 0
    }

    enum FileAction: Hashable, Sendable { case loaded }

    enum FolderAction: Hashable, Sendable { case file(String, FileAction) }

    enum Action: Hashable, Sendable { case folder(Int, FolderAction) }

    static func explorer(_ isRight: Bool) -> Explorer<KeyedArray<Folder>, Action> {
      Explorer(initialState: [Folder(id: 1), Folder(id: 2)]) { folders, action in
        guard case .folder(let id, .file(let file, .loaded)) = action else { return }
        folders[id: id]?.loads += 1
        let folder = isRight ? id : folders.first { $0.files[id: file]?.isLoaded == false }?.id
        if let folder { folders[id: folder]?.files[id: file]?.isLoaded = true }
      } connect: { store in
        store.connectEach(\.self, action: Action.folder) { _, folder in
          folder.connectEach(\.files, action: FolderAction.file) { id, file in
            file.connect(when: { $0.isLoaded ? nil : id }, named: "load") { _, _ in }
          }
        }
      }
      .outcomes(of: String.self, sending: FileAction.self) { _ in [.answers(.loaded)] }
      .always("a file is loaded in its folder") { folders in
        folders.allSatisfy { $0.loads == $0.files.count { $0.isLoaded } }
      }
    }
  }

  @Test("moved row: a file that is taken for one of another folder", arguments: [false, true])
  func fileOfAnotherFolder(isRight: Bool) async throws {
    let explorer = Folders.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 1) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress(in: [2, "a"] as [AnyHashable]).contains("a") { store.answer("a", in: [2, "a"] as [AnyHashable], with: PlantedScreenTests.Folders.FileAction.loaded) }
      let holds: (KeyedArray<PlantedScreenTests.Folders.Folder>) -> Bool = { folders in
        folders.allSatisfy { $0.loads == $0.files.count { $0.isLoaded } }
      }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  /// A lamp that is dimmed by the closure of its lifetime, one turn after it was switched on.
  enum Lamp {
    struct State: Hashable, Sendable {
      var isOn = false
      var percent = 100
    }

    enum Action: Hashable, Sendable {
      case switched
      case dimmed(Int)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .switched: state = State(isOn: !state.isOn, percent: isRight ? 10 : 100)
        case .dimmed(let percent): state.percent = percent
        }
      } connect: { store in
        store.connect(while: \.isOn, named: "lamp") { $0.dispatch(.dimmed(10)) }
      }
      .userActions { _ in [.switched] }
      .never("the lamp dazzles") { $0.isOn && $0.percent > 50 }
    }
  }

  @Test("state between two turns: a lamp dazzles before it is dimmed", arguments: [false, true])
  func dazzlingLamp(isRight: Bool) async throws {
    let explorer = Lamp.explorer(isRight)
    try await explorer.check(isRight, moves: 1) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      let holds: (PlantedScreenTests.Lamp.State) -> Bool = { $0.isOn && $0.percent > 50 }
      var isFulfilled = true
      store.send(.switched) { isFulfilled = !holds($0) }
      #expect(isFulfilled)
      await store.finish()
    }
  }

  /// A list that sends what was tapped in the rows that it showed, some of which are gone.
  enum List {
    struct State: Hashable, Sendable {
      var rows = ["a", "b"]
      var selected: Int?
    }

    enum Action: Hashable, Sendable {
      case removed
      case tapped(Int)
    }

    final class ListView: Component {
      func update(_ rows: [String]) async {}
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .removed: state = State(rows: state.rows.dropLast())
        case .tapped(let row): if !isRight || row < state.rows.count { state.selected = row }
        }
      } connect: { store in
        store.connect(ListView(), to: \.rows, named: "list")
      }
      .userActions { _ in [.removed] }
      .component("list") { _ in [.tapped(0), .tapped(1)] }
      .always("a row that is there is selected") { $0.selected.map($0.rows.indices.contains) ?? true }
    }
  }

  @Test("moved row: a list sends a tap on a row that is gone", arguments: [false, true])
  func tappedRow(isRight: Bool) async throws {
    let explorer = List.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 2) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.removed)
      store.send(.tapped(1))
      let holds: (PlantedScreenTests.List.State) -> Bool = { $0.selected.map($0.rows.indices.contains) ?? true }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
