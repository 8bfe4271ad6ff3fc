import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceStorage
import MillraceSystem
import MillraceTesting
import Testing

@Suite struct ChoosingExamples {
  // UsingHTTP, HTTP
  struct Reader: Equatable, Sendable {
    var pages: Set<HTTPRequest> = []
    var text = ""
    var problem: String?
  }

  enum ReaderAction: Sendable {
    case opened(String)
    case http(HTTPEvent)
  }

  static func reduceReader(_ state: inout Reader, _ action: ReaderAction) {
    switch action {
    case .opened(let url): state.pages = [HTTPRequest(url)]
    case .http(.response(let response, to: let request)):
      state.pages.remove(request)
      state.text = String(decoding: response.body, as: UTF8.self)
    case .http(.failed(let failure, of: let request)):
      state.pages.remove(request)
      state.problem = "\(failure)"
    }
  }

  @Test("a page is asked for, and its outcome takes the request away")
  func page() async {
    let store = Store(initialState: Reader(), on: .immediate, reduce: Self.reduceReader)
    // UsingHTTP, HTTP
    store.connect(HTTPEffect(), to: \.pages, action: ReaderAction.http)
    store.dispatch(.opened("no address"))
    await store.settled()
    #expect(store.state.pages.isEmpty && store.state.problem != nil)
  }

  // SavingAndLoading, storage
  struct Notes: Codable, Equatable, Sendable { var lines: [String] = [] }

  struct Notebook: Equatable, Sendable {
    var loading: LoadRequest? = LoadRequest()
    var notes = Saving(Notes())
    var problem: String?
  }

  enum NotebookAction: Sendable {
    case written(String)
    case loading(LoadEvent<Notes>)
    case saving(StorageEvent)
  }

  static func reduceNotebook(_ state: inout Notebook, _ action: NotebookAction) {
    switch action {
    case .written(let line): state.notes.save { $0.lines.append(line) }
    case .saving(let event): state.notes.reduce(event)
    case .loading(.loaded(let stored)):
      state.loading = nil
      state.notes.loaded(stored) { stored, changed in Notes(lines: stored.lines + changed.lines) }
      // Its place is taken by the value before it, or by none.
      if let file = stored.damaged.first { state.problem = "\(file.path) is damaged; see \(file.setAsideAs)" }
    case .loading(.failed(let failure, of: _)): state.problem = "\(failure)"
    }
  }

  @Test("notes are loaded, changed and saved, and what was written before is kept")
  func notes() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
    for line in ["milk", "bread"] {
      let storage = FileStorage<Notes>(at: path)
      let store = Store(initialState: Notebook(), reduce: Self.reduceNotebook)
      // SavingAndLoading, storage
      store.connect(LoadEffect(storage), to: \.loading, action: NotebookAction.loading)
      store.connect(StorageEffect(storage), to: \.notes, action: NotebookAction.saving)
      store.dispatch(.written(line))
      await store.settled()
      // SavingAndLoading, storage, at the end
      await store.shutdown()
      try await storage.flush(store.state.notes)
      await storage.close()
    }
    let storage = FileStorage<Notes>(at: path)
    #expect(try await storage.load().value?.lines == ["milk", "bread"])
    try await storage.remove()
  }

  // ProgramsAndTheTerminal, subprocesses
  struct Build: Equatable, Sendable {
    var processes: Set<SubprocessRequest<String>> = []
    var lines: [String] = []
    var succeeded: Bool?
    var problem: String?
  }

  enum BuildAction: Sendable {
    case started
    case wanted(SubprocessRequest<String>)
    case process(SubprocessEvent<String>)
  }

  static func reduceBuild(_ state: inout Build, _ action: BuildAction) {
    switch action {
    // ProgramsAndTheTerminal, programs that have to succeed
    case .process(.failed(_, .unsuccessful(let end, let lastErrors))):
      state.problem = "\(end): \(lastErrors.last ?? "it says nothing")"
    case .wanted(let request): state.processes = [request]
    // ProgramsAndTheTerminal, subprocesses
    case .started: state.processes = [SubprocessRequest("greeting", "echo", ["hello"])]
    case .process(.wrote(_, let line)): state.lines.append(line.text)
    case .process(.ended(_, let end)): (state.processes, state.succeeded) = ([], end.isSuccess)
    case .process(.failed): (state.processes, state.succeeded) = ([], false)
    case .process(.started): break
    }
  }

  @Test("a program is run")
  func build() async {
    let store = Store(initialState: Build(), reduce: Self.reduceBuild)
    // ProgramsAndTheTerminal, subprocesses
    store.connect(SubprocessEffect<String>(), to: \.processes, action: BuildAction.process)
    store.dispatch(.started)
    await store.settled()
    #expect(store.state == Build(lines: ["hello"], succeeded: true))
  }

  @Test("a program that has to succeed fails with its last lines")
  func unsuccessfulBuild() async {
    // ProgramsAndTheTerminal, programs that have to succeed
    var fetch = SubprocessRequest("fetch", "git", ["fetch", "--quiet"])
    fetch.requiresSuccess = true
    (fetch.executable, fetch.arguments) = ("/bin/sh", ["-c", "echo 'no repository' >&2; exit 3"])
    let store = Store(initialState: Build(), reduce: Self.reduceBuild)
    store.connect(SubprocessEffect<String>(), to: \.processes, action: BuildAction.process)
    store.dispatch(.wanted(fetch))
    await store.settled()
    #expect(store.state.problem == "exited(status: 3): no repository")
  }
}

@Suite struct WaitingExamples {
  // ThinkingInRequests, waiting
  struct Library: Equatable, Sendable {
    enum Token: Hashable, Sendable {
      case expired(attempt: Int)
      case valid(String)
    }

    var token = Token.expired(attempt: 1)
    var wanted: Set<Int> = []
    var pages: [Int: String] = [:]

    var refresh: Int? { if case .expired(let attempt) = token { attempt } else { nil } }
  }

  enum LibraryAction: Sendable {
    case opened(Int)
    case tokenArrived(String)
    case tokenRefused(String)
    case pageArrived(Int, String)
  }

  static func reduceLibrary(_ state: inout Library, _ action: LibraryAction) {
    switch action {
    case .opened(let page): state.wanted.insert(page)
    case .tokenArrived(let token): state.token = .valid(token)
    case .tokenRefused(let token):
      if state.token == .valid(token) { state.token = .expired(attempt: 1) }
    case .pageArrived(let page, let text):
      state.wanted.remove(page)
      state.pages[page] = text
    }
  }

  // ThinkingInRequests, waiting
  struct PageEffect: EffectComponent {
    struct Request: Hashable, Sendable {
      let page: Int
      let token: String
    }

    let server: Server

    func requests(in state: Library) -> Set<Request> {
      guard case .valid(let token) = state.token else { return [] }
      return Set(state.wanted.map { Request(page: $0, token: token) })
    }

    func run(_ request: Request, send: Send<LibraryAction>) async {
      if let text = await server.page(request.page, token: request.token) {
        await send(.pageArrived(request.page, text))
      } else {
        await send(.tokenRefused(request.token))
      }
    }
  }

  // ThinkingInRequests, a line that may be down
  struct Line: Equatable, Sendable {
    struct Message: Hashable, Sendable {
      let number: Int
      let text: String
    }

    var isUp = false
    var outgoing: [Message] = []
    var due: Message? { isUp ? outgoing.first : nil }
  }

  enum LineAction: Sendable {
    case wrote(Line.Message)
    case wentUp(Bool)
    case delivered(Int)
  }

  static func reduceLine(_ line: inout Line, _ action: LineAction) {
    switch action {
    case .wrote(let message): line.outgoing.append(message)
    case .wentUp(let isUp): line.isUp = isUp
    case .delivered(let number): line.outgoing.removeAll { $0.number == number }
    }
  }

  struct Wire: Sendable {
    let received = Recorder<String>()
    func carry(_ text: String) async { received.append(text) }
  }

  @Test("messages wait in their order while the line is down")
  func line() async {
    let wire = Wire()
    let store = Store(initialState: Line(), reduce: Self.reduceLine)
    // ThinkingInRequests, a line that may be down
    store.connect(when: \.due) { message, send in
      await wire.carry(message.text)
      await send(.delivered(message.number))
    }
    store.dispatch(.wrote(Line.Message(number: 1, text: "one")))
    store.dispatch(.wrote(Line.Message(number: 2, text: "two")))
    await store.settled()
    #expect(wire.received.values.isEmpty)
    store.dispatch(.wentUp(true))
    await store.settled()
    #expect(wire.received.values == ["one", "two"])
    #expect(store.state.outgoing.isEmpty)
  }

  actor Server {
    private(set) var refreshes = 0
    func refresh() -> String {
      refreshes += 1
      return "token \(refreshes)"
    }
    func page(_ number: Int, token: String) -> String? { token == "token 2" ? "page \(number)" : nil }
  }

  @Test("ten pages share one refresh of an expired token")
  func shared() async {
    let server = Server()
    let store = Store(initialState: Library(), reduce: Self.reduceLibrary)
    store.connect(PageEffect(server: server))
    // ThinkingInRequests, waiting
    store.connect(when: \.refresh) { _, send in
      await send(.tokenArrived(server.refresh()))
    }
    for page in 1...10 { store.dispatch(.opened(page)) }
    await store.settled()
    #expect(store.state.pages.count == 10)
    #expect(await server.refreshes == 2)
  }
}
