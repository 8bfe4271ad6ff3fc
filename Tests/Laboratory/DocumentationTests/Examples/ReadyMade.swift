import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

/// The events of the ready-made effects, reduced.
@Suite struct ReadyMadeExamples {
  struct Office: Equatable, Sendable {
    var exports: Set<HTTPRequest> = []
    var rows = 0
    var uploads: Set<HTTPUploadRequest> = []
    var sent = 0.0
    var alarms: Set = [
      WallClockTimerRequest("report", .daily(at: .init(6, 30), timeZone: "Europe/Berlin"))
    ]
    var reports: [Date] = []
    var signals: Set<ProcessSignal> = [.hangup, .terminate]
    var reloads = 0
    var isStopping = false
    var folders: Set = [FolderWatchRequest("/var/spool/inbox", quiet: .seconds(1))]
    var names: [String] = []
    var service = ServiceStatus()
    var isAsking = true
    var log = LineLog()
    var logs: Set<SubprocessRequest<String>> = []
    var problem: String?
  }

  enum OfficeAction: Sendable {
    case export(HTTPStreamEvent)
    case upload(HTTPUploadEvent)
    case alarm(WallClockTimerEvent<String>)
    case signal(SignalEvent)
    case folder(FolderWatchEvent)
    case service(ServiceEvent)
    case input(LineReaderEvent)
    case log(LineWriterEvent)
    case followed(String)
    case logs(SubprocessEvent<String>)
  }

  static func reduce(_ state: inout Office, _ action: OfficeAction) {
    switch action {
    // UsingHTTP, streams
    case .export(.began(_, length: _, of: _)): state.rows = 0
    case .export(.received(let bytes, of: _)): state.rows += bytes.count { $0 == UInt8(ascii: "\n") }
    case .export(.ended(received: _, of: let request)): state.exports.remove(request)
    case .export(.failed(let failure, of: let request)):
      state.exports.remove(request)
      state.problem = "\(failure)"
    // UsingHTTP, uploads
    case .upload(.progressed(let progress, of: _)): state.sent = progress.fraction ?? 0
    case .upload(.response(_, to: let upload)): state.uploads.remove(upload)
    case .upload(.failed(let failure, of: let upload)):
      state.uploads.remove(upload)
      state.problem = "\(failure)"
    // TimersAndPolling, wall clock
    case .alarm(.fired(_, let tick)): state.reports.append(tick.due)
    case .alarm(.refused(_, let refusal)): state.problem = "\(refusal)"
    // ProgramsAndTheTerminal, signals
    case .signal(.listening): break  // from now on signals are received
    case .signal(.received(.hangup)): state.reloads += 1
    case .signal(.received): (state.isStopping, state.signals) = (true, [])
    case .signal(.failed(let signal, _)): state.problem = "\(signal) cannot be received"
    // ProgramsAndTheTerminal, folders
    case .folder(.listed(let files, in: _)):
      state.names = files.filter { $0.value.kind == .file }.keys.sorted()
    case .folder(.failed(let failure, let folder)): state.problem = "\(folder.path): \(failure)"
    // ProgramsAndTheTerminal, service
    case .service(.beat): break  // the effect's own proof that the store works
    case .service(.failed(let failure)): state.problem = "the service manager: \(failure)"
    // ProgramsAndTheTerminal, lines
    case .input(.line(let line)): state.log.append("you wrote \(line.text)")
    case .input(.ended), .input(.failed): state.isAsking = false
    case .log(let event): state.log.reduce(event)  // removes the lines that are written
    // ProgramsAndTheTerminal, a growing file
    case .followed(let path):
      state.logs = [SubprocessRequest("log", "tail", ["-n", "+1", "-F", path])]
    case .logs(.wrote(_, let line)) where line.stream == .output: state.names.append(line.text)
    case .logs(.failed(_, let failure)): state.problem = "the log is not followed: \(failure)"
    case .logs: break
    }
  }

  struct Studio: Equatable, Sendable {
    var films: Set<HTTPUploadRequest> = []
  }

  enum StudioAction: Sendable {
    case upload(HTTPUploadEvent)
    case retrying(HTTPUploadRequest, attempt: Int)
  }

  @Test("an upload goes on after an attempt of a policy")
  func uploadsThatGoOn() async throws {
    // UsingHTTP, uploads that go on
    let film = HTTPUploadRequest(
      HTTPRequest("https://example.org/films", method: "POST", timeout: .seconds(3600)),
      from: "/home/me/film", resumes: .uploadResource, sendsDigest: true)
    let store = Store(initialState: Studio(), on: .immediate) { (state: inout Studio, action: StudioAction) in
      if case .upload(.response(_, to: let film)) = action { state.films.remove(film) }
    }
    // UsingHTTP, uploads that go on, with a policy
    let uploads = HTTPUploadEffect().mapped(StudioAction.upload).retried(
      times: 8, by: Backoff(first: .seconds(1)), when: { retry, _ in retry.failure.isTransient },
      action: { retry, film in .retrying(film, attempt: retry.attempt) })
    store.connect(uploads, to: \.films)
    #expect(uploads.requests(in: [film]) == [film])
    #expect(film.note == "/home/me/film.upload-of")
    await store.settled()
  }

  private func state(after actions: OfficeAction...) -> Office {
    var state = Office()
    for action in actions { Self.reduce(&state, action) }
    return state
  }

  @Test("the events of the ready-made effects are reduced")
  func events() {
    let export = HTTPRequest("https://example.org/export")
    let rows = state(
      after: .export(.began(HTTPResponse(), length: nil, of: export)),
      .export(.received(Data("a\nb\n".utf8), of: export)), .export(.ended(received: 4, of: export)))
    #expect(rows.rows == 2)
    let upload = HTTPUploadRequest(HTTPRequest("https://example.org/in", method: "PUT"), from: "/tmp/a")
    #expect(state(after: .upload(.failed(.loading(.timedOut), of: upload))).problem != nil)
    #expect(state(after: .alarm(.fired("report", WallClockTick(due: .distantPast)))).reports.count == 1)
    #expect(state(after: .signal(.received(.hangup))).reloads == 1)
    #expect(state(after: .signal(.received(.terminate))).isStopping)
    let folder = FolderWatchRequest("/var/spool/inbox")
    #expect(state(after: .folder(.listed(["a": FileFacts()], in: folder))).names == ["a"])
    #expect(state(after: .service(.failed(ServiceFailure(errorNumber: 1)))).problem != nil)
    let lines = state(after: .input(.line(InputLine("yes"))), .input(.ended))
    #expect(lines.log.lines == ["you wrote yes"] && !lines.isAsking)
    #expect(state(after: .input(.line(InputLine("yes"))), .log(.wrote(next: 1))).log.lines.isEmpty)
  }

  @Test("a file that grows is followed by tail, also over a rotation")
  func following() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log")
    try folder.write(Data("one\n".utf8), to: "log")
    let store = Store(initialState: Office(), reduce: Self.reduce)
    // ProgramsAndTheTerminal, a growing file
    store.connect(SubprocessEffect<String>(), to: \.logs, action: OfficeAction.logs, longRunning: true)
    store.dispatch(.followed(path))
    _ = await store.first { $0.names == ["one"] }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data("two\n".utf8))
    _ = await store.first { $0.names == ["one", "two"] }
    try FileManager.default.moveItem(atPath: path, toPath: folder.file("log.1"))
    try folder.write(Data("three\n".utf8), to: "log")
    _ = await store.first { $0.names == ["one", "two", "three"] }
    #expect(await store.shutdown().isClean)
  }
}
