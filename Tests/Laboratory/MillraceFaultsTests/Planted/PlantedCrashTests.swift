import Millrace
import MillraceFaults
import MillraceTestStore
import Testing

/// Bugs planted in small features, which `CrashAnywhere` finds, and the mended features, which are clean.
@Suite("Planted bugs: crashes") struct PlantedCrashTests {
  // MARK: A copy in parts

  enum Copy {
    enum Bug { case addsAgain, forgetsHalf, dropsName }

    struct State: Equatable, Sendable {
      var name: String?
      var isAsked = false
      /// Whether the parts follow; of use only while the program runs.
      var isReceiving = false
      var parts: [Int] = []
      var isDone = false
    }

    enum Action: Equatable, Sendable {
      case asked(String)
      case header
      case part(Int)
      case done
    }

    static func report(_ bug: Bug?) async -> CrashReport {
      await CrashAnywhere<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .asked(let name): (state.name, state.isAsked) = (name, true)
          case .header:
            state.isReceiving = true
            if bug == .forgetsHalf { state.isAsked = false }
          case .part(let part):
            if bug == .addsAgain || !state.parts.contains(part) { state.parts.append(part) }
          case .done: (state.isAsked, state.isReceiving, state.isDone) = (false, false, true)
          }
        },
        persisting: { state in
          var state = state
          state.isReceiving = false
          if bug == .dropsName { state.name = nil }
          return state
        },
        connect: { store in
          store.connect(when: { $0.isAsked || $0.isReceiving ? "file" : nil }, named: "copy") { _, _ in }
        }
      )
      .resetting(\.isReceiving)
      .run { store in
        store.exhaustivity = .requests
        store.send(.asked("a"))
        store.answer("file", with: .header, .part(1), .part(2), .done)
        await store.finish()
      }
    }
  }

  @Test("6: a copy that begins again from its start adds again what it has") func fromTheStart() async {
    let mended = await Copy.report(nil)
    #expect(mended.isClean, "\(mended)")
    #expect(mended.description == "2 steps; the program ended and began again at 5 points")
    let report = await Copy.report(.addsAgain)
    #expect(report.losses.isEmpty)
    #expect(
      report.endings.map(\.description) == [
        """
          within step 2, .part(1) from copy "file":

          parts[1]: unexpected 1
          (and at 1 other point)
        """
      ])
  }

  @Test("7: a copy that has got its header is not asked for again") func withinAnAnswer() async {
    let report = await Copy.report(.forgetsHalf)
    #expect(report.losses.isEmpty)
    #expect(
      report.endings.map(\.text.firstLine) == ["  parts[0]: missing 1", "  isDone: expected true, is false"])
    #expect(report.endings.allSatisfy { $0.step == 2 && $0.isWithinStep })
    #expect(report.endings.first?.action == #".header from copy "file""#)
  }

  @Test("8: a name that is not persisted is told once, not at each point") func notPersisted() async {
    let report = await Copy.report(.dropsName)
    let text = """
        after step 1, .asked("a"):

        name: expected "a", is nil
        (and at 4 other points)
      """
    #expect(report.losses.map(\.description) == [text])
    #expect(report.endings.map(\.description) == [text])
  }

  // MARK: A note

  enum Note {
    struct State: Equatable, Sendable {
      var text = ""
      var saved = ""
      var sent = ""
    }

    enum Action: Equatable, Sendable {
      case typed(String)
      case saved(String)
      case sent(String)
    }

    struct Save: Hashable, Sendable { let text: String }
    struct Post: Hashable, Sendable { let text: String }

    static func report(sendsUnsaved: Bool) async -> CrashReport {
      await CrashAnywhere<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .typed(let text): state.text = text
          case .saved(let text): state.saved = text
          case .sent(let text): state.sent = text
          }
        },
        persisting: { $0 },
        connect: { store in
          store.connect(when: { $0.text == $0.saved ? nil : Save(text: $0.text) }, named: "save") { _, _ in }
          store.connect(
            when: { state -> Post? in
              let ready = sendsUnsaved ? state.text : state.saved
              return ready == state.sent ? nil : Post(text: ready)
            }, named: "post"
          ) { _, _ in }
        }
      )
      .saving(by: Save.self, before: Post.self)
      .run { store in
        store.exhaustivity = .requests
        for text in ["a", "ab"] {
          store.send(.typed(text))
          store.answer(Save(text: text), with: .saved(text))
          store.answer(Post(text: text), with: .sent(text))
        }
        await store.finish()
      }
    }
  }

  @Test("9: a note is sent before it is on disk") func sentBeforeSaved() async {
    let mended = await Note.report(sendsUnsaved: false)
    #expect(mended.isClean, "\(mended)")
    let report = await Note.report(sendsUnsaved: true)
    #expect(report.losses.isEmpty && report.endings.isEmpty && !report.isClean)
    #expect(
      report.description == """
        Sent before it was saved:

          after step 1, .typed("a"):

          post Post(text: "a") was sent, and the program that begins again does not know of it

          after step 4, .typed("ab"):

          post Post(text: "ab") was sent, and the program that begins again does not know of it

        6 steps; the program ended and began again at 6 points
        """)
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}
