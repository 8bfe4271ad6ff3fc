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

  /// Rooms whose history is loaded when they are opened.
  enum Rooms {
    struct Room: Identifiable, Hashable, Sendable {
      let id: Int
      var isLoading = false
      var hasHistory = false
    }

    struct State: Hashable, Sendable {
      var room: Room?
      var loaded: Set<Int> = []
    }

    enum Action: Hashable, Sendable {
      case opened(Int)
      case closed
      case room(RoomAction)
    }

    enum RoomAction: Hashable, Sendable { case loaded, again }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .opened(let id):
          state.room = Room(id: id, isLoading: isRight || !state.loaded.contains(id))
        case .closed: state.room = nil
        case .room(.loaded):
          guard let room = state.room else { return }
          state.room = Room(id: room.id, hasHistory: true)
          state.loaded.insert(room.id)
        case .room(.again): break
        }
      } connect: { store in
        store.connectIfPresent(\.room, action: Action.room) { room in
          room.connect(
            fallible(Int.self) { _ in RoomAction.again }
              .supervised(
                restarts: 1, within: .seconds(60), by: Backoff(jitter: 0), restarting: { _, _ in .again }),
            when: { $0.isLoading ? $0.id : nil }, named: "history")
        }
      }
      .userActions { $0.room == nil ? [.opened(1), .opened(2)] : [.closed] }
      .outcomes(of: Int.self, sending: RoomAction.self) { _ in [.answers(.loaded)] }
      .always("an open room has its history, or loads it") { state, running in
        state.room?.hasHistory != false || !running.isEmpty
      }
    }
  }

  @Test("recreated lifetime: a room that is opened again loads nothing", arguments: [false, true])
  func roomIsOpenedAgain(isRight: Bool) async throws {
    try await Rooms.explorer(isRight).check(isRight, moves: 4)
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

  /// Songs whose covers are loaded, while songs are removed.
  enum Songs {
    struct Song: Identifiable, Hashable, Sendable {
      let id: Int
      var cover: Int?
    }

    struct Load: Hashable, Sendable {
      var song: Int
      var row: Int
    }

    struct State: Hashable, Sendable {
      var songs = [Song(id: 1), Song(id: 2), Song(id: 3)]
      var loads: Set<Load> = []
    }

    enum Action: Hashable, Sendable {
      case shown(row: Int)
      case removed(row: Int)
      case loaded(Load)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .shown(let row):
          if state.songs[row].cover == nil { state.loads.insert(Load(song: state.songs[row].id, row: row)) }
        case .removed(let row): state.songs.remove(at: row)
        case .loaded(let load):
          state.loads.remove(load)
          let row = isRight ? state.songs.firstIndex { $0.id == load.song } : load.row
          if let row, state.songs.indices.contains(row) { state.songs[row].cover = load.song }
        }
      } connect: { store in
        store.connect(
          infallible(Load.self, sending: Action.self).limited(to: 2, order: .lastInFirstOut), when: \.loads,
          named: "cover")
      }
      .userActions { state in
        state.songs.indices.map { .shown(row: $0) } + state.songs.indices.map { .removed(row: $0) }
      }
      .outcomes(of: Load.self) { [.answers(.loaded($0))] }
      .always("a cover is that of its song") { $0.songs.allSatisfy { $0.cover == nil || $0.cover == $0.id } }
    }
  }

  @Test("moved row: a cover for the row that a song was in", arguments: [false, true])
  func movedSong(isRight: Bool) async throws {
    let explorer = Songs.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.shown(row: 0))
      store.send(.removed(row: 0))
      if store.inProgress().contains(PlantedScreenTests.Songs.Load(song: 1, row: 0)) { store.answer(PlantedScreenTests.Songs.Load(song: 1, row: 0), with: .loaded(PlantedScreenTests.Songs.Load(song: 1, row: 0))) }
      let holds: (PlantedScreenTests.Songs.State) -> Bool = { $0.songs.allSatisfy { $0.cover == nil || $0.cover == $0.id } }
      #expect(holds(store.state))
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
}
