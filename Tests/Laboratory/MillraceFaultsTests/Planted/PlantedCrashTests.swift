import Millrace
import MillraceFaults
import MillraceTestStore
import Testing

/// Bugs planted in small features, which `CrashAnywhere` finds, and the mended features, which are clean.
@Suite("Planted bugs: crashes") struct PlantedCrashTests {
  enum Copy {
    enum Bug { case addsAgain, forgetsHalf }

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

  @Test("a copy that begins again from its start adds again what it has") func fromTheStart() async {
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

  @Test("a copy that has got its header is not asked for again") func withinAnAnswer() async {
    let report = await Copy.report(.forgetsHalf)
    #expect(report.losses.isEmpty)
    #expect(
      report.endings.map(\.text.firstLine) == ["  parts[0]: missing 1", "  isDone: expected true, is false"])
    #expect(report.endings.allSatisfy { $0.step == 2 && $0.isWithinStep })
    #expect(report.endings.first?.action == #".header from copy "file""#)
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}
