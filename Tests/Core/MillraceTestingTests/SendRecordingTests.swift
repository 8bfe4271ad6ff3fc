import Millrace
import MillraceTesting
import Testing

@Suite struct SendRecordingTests {
  private struct Countdown: EffectComponent {
    func requests(in state: Int) -> Set<Int> { state > 0 ? [state] : [] }

    func run(_ start: Int, send: Send<Int>) async {
      for number in (0...start).reversed() {
        guard await send(number) == .reduced else { return }
      }
    }
  }

  @Test("what an effect sends is recorded and answered as reduced")
  func reduced() async {
    let sent = Recorder<Int>()
    await Countdown().run(2, send: .recording(into: sent))
    #expect(sent.values == [2, 1, 0])
  }

  @Test("what an effect sends is recorded and answered as told")
  func answered() async {
    let sent = Recorder<Int>()
    await Countdown().run(2, send: .recording(into: sent, answering: .fenced))
    #expect(sent.values == [2])
  }
}
