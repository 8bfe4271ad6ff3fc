import MillraceTesting
import Testing

@Suite struct RecorderTests {
  let recorder = Recorder<Int>()

  @Test("values are kept in their order, and the first are returned at once if there are enough")
  func order() async throws {
    for value in [3, 1, 2] { recorder.append(value) }
    #expect(recorder.values == [3, 1, 2])
    #expect(recorder.count == 3)
    #expect(try await recorder.values(atLeast: 2) == [3, 1])
    #expect(try await recorder.values(atLeast: 0) == [])
  }

  @Test("whoever waits for values is resumed by the last of them")
  func waits() async throws {
    let resumed = Recorder<[Int]>()
    let tasks = [1, 2].map { count in
      Task { [recorder] in resumed.append(try await recorder.values(atLeast: count)) }
    }
    recorder.append(7)
    #expect(try await resumed.values(atLeast: 1) == [[7]])
    recorder.append(8)
    for task in tasks { try await task.value }
    #expect(resumed.values == [[7], [7, 8]])
  }

  @Test("waiting for values ends when the task is cancelled")
  func cancelled() async {
    let early = cancelledTask { [recorder] in
      try await recorder.values(atLeast: 1)
    }
    #expect(await early.value == .cancelled)
    let task = Task { [recorder] in
      await outcome { try await recorder.values(atLeast: 1) }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }
}
