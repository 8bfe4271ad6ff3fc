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

  @Test("what an effect sends is recorded and answered as told")
  func recorded() async {
    let (sent, refused) = (Recorder<Int>(), Recorder<Int>())
    await Countdown().run(2, send: .recording(into: sent))
    await Countdown().run(2, send: .recording(into: refused, answering: .fenced))
    #expect(sent.values == [2, 1, 0])
    #expect(refused.values == [2])
  }
}
