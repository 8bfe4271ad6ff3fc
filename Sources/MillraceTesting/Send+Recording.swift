import Millrace

extension Send {
  /// A `Send` that puts every action into `recorder` and answers that it was reduced, or as told.
  ///
  /// For tests of one effect component, with no store:
  ///
  /// ```swift
  /// let sent = Recorder<Search.Action>()
  /// await SearchEffect(client: client).run("swift", send: .recording(into: sent))
  /// #expect(sent.values == [.arrived(["swift.org"])])
  /// ```
  ///
  /// Answer with `.fenced` to see what an effect does once its run is no longer wanted.
  public static func recording(
    into recorder: Recorder<Action>, answering delivery: Delivery = .reduced
  ) -> Send {
    Send { action in
      recorder.append(action)
      await Task.yield()  // as a store would: an effect that sends without end leaves a thread to others
      return delivery
    }
  }
}
