import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// A reducer that traps at a row that was removed while it was loaded.
@Suite struct PlantedTrapTests {
  struct State: Hashable, Sendable {
    var rows = ["a"]
    var isLoading = false
  }

  enum Action: Hashable, Sendable {
    case load
    case clear
    case arrived(String)
  }

  private static func explorer(_ version: PlantedVersion) -> Explorer<State, Action> {
    Explorer(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .load: state.isLoading = !state.rows.isEmpty
        case .clear: state.rows = []
        case .arrived(let text):
          if !version.isMended || !state.rows.isEmpty { state.rows[0] = text }
          state.isLoading = false
        }
      },
      connect: { $0.connect(when: { $0.isLoading ? "row" : nil }, named: "load") { _, _ in } }
    )
    .userActions { _ in [.load, .clear] }
    .outcomes(of: String.self) { _ in [.answers(.arrived("b"))] }
    .allowing(.nothingToCheck)
  }

  @Test func isFound() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.planted).explore()
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let end = """
        2. the user sends .clear
             rows[0]: removed "a"
        3. load "row" answers .arrived("b")
           TRAP
      """
    #expect(output.contains(end), "\(output)")
    #expect(Self.explorer(.mended).explore().isClean)
  }
}
