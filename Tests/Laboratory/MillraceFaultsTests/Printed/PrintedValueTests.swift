import Foundation
import Millrace
import MillraceEffects
import MillraceHTTP
import MillraceStorage
import MillraceSystem
import MillraceTesting
import Testing

/// Values in the tests that an explorer prints: each is defined here by the expression that is printed for it, as the
/// argument of a generic function, where nothing tells its type. So what is printed compiles.
// swift-format-ignore
@Suite struct PrintedValueTests {
  enum Timer: Hashable, Sendable { case storage, poll(String) }

  enum Failure: Error, Hashable, Sendable { case offline, status(Int) }

  struct Page: Hashable, Sendable { var number: Int }

  struct Row: Hashable, Sendable, Identifiable { var id: Int, text: String }

  struct Box<Content: Hashable & Sendable>: Hashable, Sendable {
    enum Side: Hashable, Sendable { case left(Content?), right }
    var contents: [Content], side: Side
  }

  struct Ambiguous: Hashable {
    enum Choice: Hashable { case none, some(Int) }
    var first: Choice?, second: Choice?, third: Choice?
  }

  struct Erased: Hashable { var id: AnyHashable }

  struct Held: Equatable {
    var error: any Error & Sendable
    static func == (left: Held, right: Held) -> Bool { "\(left)" == "\(right)" }
  }

  enum Action: Hashable, Sendable {
    case timer(TimerEvent<Timer>)
    case moved(from: (Timer, Int?), to: Box<String>.Side, Set<Timer>)
    case reset

    static func == (left: Action, right: Action) -> Bool { "\(left)" == "\(right)" }
    func hash(into hasher: inout Hasher) {}
  }

  @Test func timers() {
    isPrinted(TimerRequest<PrintedValueTests.Timer>(.storage, .after(Duration.seconds(2)), tolerance: nil))
    isPrinted(TimerRequest<String>("a", .every(Duration.seconds(2), missed: .catchUp), tolerance: Duration.seconds(1)))
    isPrinted(TimerEvent<PrintedValueTests.Timer>.fired(.poll("a"), TimerTick(count: 1, due: Duration.seconds(2), missed: 0)))
    isPrinted(TimerEvent<Int>.refused(1, TimerRefusal.intervalIsZero))
    isPrinted(WallClockTimerRequest<PrintedValueTests.Timer>(.storage, .weekly(on: [.monday], at: WallClockSchedule.TimeOfDay(7, 30, 0), timeZone: nil)))
    isPrinted(WallClockTimerEvent<String>.fired("a", WallClockTick(due: Date(timeIntervalSinceReferenceDate: 1.5), missed: 0)))
  }

  @Test func storage() {
    isPrinted(JournalRequest<String, PrintedValueTests.Page>.append(JournalAppend<String, PrintedValueTests.Page>(generation: 1, attempt: 1, changes: [NumberedChange<String, PrintedValueTests.Page>(id: "a", change: .set(PrintedValueTests.Page(number: 1)), generation: 1, earlier: [])])))
    isPrinted(JournalRequest<String, PrintedValueTests.Page>.load(attempt: 1))
    isPrinted(JournalEvent<String, PrintedValueTests.Page>.failed(StorageFailure.diskFull("d"), generation: 1, attempt: 1))
    isPrinted(JournalEvent<String, Int>.loaded(StoredEntries<String, Int>(entries: [:], damaged: [])))
    isPrinted(Journaling<String, Int>(backlog: JournalBacklog<String, Int>(generation: 0, savedGeneration: 0, attempt: 1, isLoaded: false, failure: nil, unsaved: []), entries: [:], damaged: []))
    isPrinted(LoadEvent<[String]>.failed(StorageFailure.diskFull("d"), of: LoadRequest(attempt: 1)))
    isPrinted(LoadEvent<Int>.loaded(StoredValue<Int>(value: nil, generation: 0, source: .nowhere, damaged: [])))
    isPrinted(SaveRequest<Set<PrintedValueTests.Timer>>(value: [.storage], generation: 1, attempt: 1))
    isPrinted(Saving<Int?>(value: nil, generation: 0, savedGeneration: 0, isLoaded: true, failure: nil, attempt: 1, stored: .some(nil), storedGeneration: 0, begun: nil))
    isPrinted(LedgerEffect<String>.Request.forget(key: "k", attempt: 1))
    isPrinted(LedgerEvent<PrintedValueTests.Timer>.interrupted(.storage, key: "k"))
    isPrinted(OnceEvent<TimerRequest<Int>>.notBegun(StorageFailure.diskFull("d"), TimerRequest<Int>(1, .after(Duration.seconds(2)), tolerance: nil)))
    isPrinted(Interruptions<String>(undecided: [:], isKnown: false, damaged: [], failure: nil, givenUp: [], attempt: 1))
    isPrinted(DurableOutbox<String, String, Int>(records: [:], backlog: JournalBacklog<OutboxRecordKey<String>, OutboxRecord<String, Int>>(generation: 0, savedGeneration: 0, attempt: 1, isLoaded: false, failure: nil, unsaved: []), epoch: 1, lastNumber: 0, damaged: []))
  }

  @Test func effects() {
    isPrinted(Outbox<String>(entries: [], lastNumber: 0))
    isPrinted(OutboxEffect<String>.Request(entry: Outbox<String>.ID(number: 2), element: "b", claim: 7))
    isPrinted(Outbox<PrintedValueTests.Timer>.Action.failed(Outbox<PrintedValueTests.Timer>.ID(number: 2), .thrown("a")))
    isPrinted(RetryAttempt<PrintedValueTests.Failure>(attempt: 2, failure: PrintedValueTests.Failure.offline, delay: Duration.seconds(1)))
    isPrinted(UndoableAction<PrintedValueTests.Timer>.change(.storage))
    isPrinted(TimelineAction<String>.back)
    isPrinted(Navigation<PrintedValueTests.Page>.Action.failed(1, reason: "a"))
    isPrinted(Navigation<PrintedValueTests.Page>(wanted: ScreenPath<PrintedValueTests.Page>(entries: [ScreenPath<PrintedValueTests.Page>.Entry(id: ScreenPath<PrintedValueTests.Page>.ID(number: 1), screen: PrintedValueTests.Page(number: 1))], lastNumber: 1), shown: [], step: nil, failure: nil, stepCount: 0))
    isPrinted(Undoable<Int>(present: 1, past: [], future: [], limit: 10))
    isPrinted(LineLog(lines: ["a"], firstNumber: 2, failure: nil))
    isPrinted(SubprocessRequest<String>("a", "b", ["c"], environment: .inheriting(changing: [:]), workingDirectory: nil, input: .empty, mergesErrors: false, requiresSuccess: false, longestLine: 65536, outputLimit: nil, gracePeriod: Duration.seconds(5), diesWithParent: false, attempt: 1))
    isPrinted(SubprocessEvent<String>.wrote("a", SubprocessLine(.output, [65], isContinued: false)))
    isPrinted(LineReaderEvent.line(InputLine([65], isContinued: false)))
    isPrinted(FolderWatchRequest("/a", quiet: Duration.seconds(1), interval: nil, names: nil))
    isPrinted(WebSocketOutgoing(1, .text("a")))
    isPrinted(CircuitRefusal.halfOpen)
    isPrinted(CircuitRefusal.open(retryAfter: Duration.seconds(1)))
    isPrinted(FolderWatchFailure.notReadable)
    isPrinted(FolderWatchFailure.noSuchFolder)
    isPrinted(FolderWatchFailure.notAFolder)
    isPrinted(HTTPFailure.timedOut)
    isPrinted(HTTPFailure.cancelled)
    isPrinted(SubprocessFailure.timedOut)
    isPrinted(SubprocessFailure.statusLost)
    isPrinted(WebSocketFailure.cutOff)
    isPrinted(WebSocketFailure.silent)
    isPrinted(WebSocketFailure.invalidText)
  }

  @Test func collections() {
    isPrinted([PrintedValueTests.Row(id: 1, text: "a")] as KeyedArray<PrintedValueTests.Row>)
    isPrinted([] as [TimerRequest<Int>])
    isPrinted([.storage] as Set<PrintedValueTests.Timer>)
    isPrinted([:] as [String: TimerRequest<PrintedValueTests.Timer>])
    isPrinted(["a": nil] as [String: PrintedValueTests.Timer?])
    isPrinted(Optional(PrintedValueTests.Timer.storage))
    isPrinted(TimerRequest<Int>?.none)
    isPrinted(Result<PrintedValueTests.Timer, PrintedValueTests.Failure>.failure(PrintedValueTests.Failure.status(500)))
    isPrinted(UInt8(1)...UInt8(2))
  }

  @Test func typesOfTheProgram() {
    isPrinted(PrintedValueTests.Box<Int>(contents: [], side: .left(nil)))
    isPrinted(PrintedValueTests.Box<PrintedValueTests.Timer>.Side.left(.poll("a")))
    isPrinted(PrintedValueTests.Box<[PrintedValueTests.Box<UInt8>]>(contents: [[PrintedValueTests.Box<UInt8>(contents: [1], side: .right)]], side: .right))
    isPrinted(PrintedValueTests.Ambiguous(first: .some(.none), second: .some(.some(1)), third: nil))
    isPrinted(PrintedValueTests.Erased(id: AnyHashable(PrintedValueTests.Timer.storage)))
    isPrinted(PrintedValueTests.Held(error: PrintedValueTests.Failure.offline))
    isPrinted([:] as [String: Result<Int, PrintedValueTests.Failure>])
  }

  @Test("a case is written without its type where an action of this type is expected")
  func actions() {
    isPrintedAction(.reset)
    isPrintedAction(.timer(.fired(.storage, TimerTick(count: 1, due: Duration.seconds(2), missed: 0))))
    isPrintedAction(.moved(from: (.storage, nil), to: .left("a"), [.storage]))
  }

  @Test("a type of tuples is written with the types of their parts") func tuples() {
    #expect(source(of: [(Timer, count: Int?)]()) == "[] as [(PrintedValueTests.Timer, count: Int?)]")
  }

  // MARK: Ready-made states, as reducers make them

  struct State: Hashable, Sendable {
    var notes = Saving("a")
    var pages = Journaling<String, Int>()
    var unsaved = JournalBacklog<String, Int>()
    var payments = Interruptions<String>()
    var toasts = Outbox<String>()
  }

  @Test func aStateWithSavingIsHashable() {
    var state = State()
    #expect(Set([state, State()]).count == 1)
    state.notes.save { $0 = "b" }
    state.pages["p"] = 1
    #expect(Set([state, State()]).count == 2)
  }

  @Test func aSaving() {
    var saving = Saving(StoredValue(value: "a", generation: 3, source: .current), or: "")
    saving.save { $0 = "b" }
    saving.reduce(.failed(.diskFull("f"), generation: 4, attempt: 1))
    let made = isPrinted(Saving<String>(value: "b", generation: 4, savedGeneration: 3, isLoaded: true, failure: StorageFailure.diskFull("f"), attempt: 1, stored: "a", storedGeneration: 3, begun: nil))
    #expect(saving == made)
  }

  @Test func aDurableOutboxAndAnInbox() {
    typealias Shop = DurableOutbox<String, String, Int>
    var outbox = Shop(epoch: 1, lastNumber: 0)
    outbox.reduce(.loaded(StoredEntries(entries: [.value("v"): .value(2)])))
    outbox.append("a", lane: "x")
    let made = Shop(
      records: [
        .entry(OutboxKey(epoch: 1, number: 1)): .entry("a", lane: "x"), .value("v"): .value(2),
        .numbers: .numbers(epoch: 1, last: 1001),
      ], backlog: outbox.backlog, epoch: 1, lastNumber: 1)
    #expect(outbox == made)
    let text = source(of: outbox)
    #expect(text.hasPrefix("DurableOutbox<String, String, Int>(records: [.entry(OutboxKey(epoch: 1, number: 1"), "\(text)")
    #expect(text.hasSuffix(", epoch: 1, lastNumber: 1, damaged: [])"), "\(text)")
    var inbox = Inbox()
    _ = inbox.accept(OutboxKey(epoch: 1, number: 7), lane: "x")
    let known = isPrinted(Inbox(lastNumbers: [Inbox.Lane(epoch: 1, lane: "x"): 7], lastRevisions: nil))
    #expect(inbox == known)
  }

  @Test func aJournaling() {
    var pages = Journaling<String, Int>()
    pages.reduce(.loaded(StoredEntries(entries: ["q": 2])))
    pages["p"] = 1
    pages["q"] = nil
    let made = isPrinted(Journaling<String, Int>(backlog: JournalBacklog<String, Int>(generation: 2, savedGeneration: 0, attempt: 1, isLoaded: true, failure: nil, unsaved: [NumberedChange<String, Int>(id: "p", change: .set(1), generation: 1, earlier: [NumberedChange<String, Int>(id: "p", change: .removed, generation: 0, earlier: [])]), NumberedChange<String, Int>(id: "q", change: .removed, generation: 2, earlier: [NumberedChange<String, Int>(id: "q", change: .set(2), generation: 0, earlier: [])])]), entries: ["p": 1], damaged: []))
    #expect(pages == made)
    if case .append(let append)? = made.backlog.wanted {
      #expect(append.generation == 2 && append.attempt == 1)
    } else {
      Issue.record("\(made)")
    }
  }

  @Test func interruptions() {
    var payments = Interruptions<String>()
    payments.reduce(.interrupted("rent", key: "p-1"))
    payments.reduce(.interrupted("tax", key: "p-2"))
    payments.giveUp("p-2")
    let made = isPrinted(Interruptions<String>(undecided: ["p-1": "rent"], isKnown: false, damaged: [], failure: nil, givenUp: ["p-2"], attempt: 1))
    #expect(payments == made)
  }

  @Test func anOutbox() {
    var toasts = Outbox<String>()
    toasts.reduce(.served(toasts.append("a")))
    toasts.reduce(.began(toasts.append("b"), claim: 7))
    let made = isPrinted(Outbox<String>(entries: [Outbox<String>.Entry(id: Outbox<String>.ID(number: 2), element: "b", status: .begun(claim: 7))], lastNumber: 2))
    #expect(toasts == made)
  }

  /// Expects the value to be printed as the caller writes it.
  @discardableResult
  private func isPrinted<Value: Equatable>(_ value: Value, at place: SourceLocation = #_sourceLocation) -> Value {
    isWritten("isPrinted(\(source(of: value)))", at: place)
    return value
  }

  private func isPrintedAction(_ action: Action, at place: SourceLocation = #_sourceLocation) {
    isWritten("isPrintedAction(\(source(of: action, as: Action.self)))", at: place)
  }

  private func isWritten(_ call: String, at place: SourceLocation) {
    let lines = (try? String(contentsOfFile: #filePath, encoding: .utf8))?.components(separatedBy: "\n") ?? []
    let written = lines[place.line - 1].trimmingCharacters(in: .whitespaces)
    #expect(written.hasSuffix(call), "\(call)", sourceLocation: place)
  }
}
