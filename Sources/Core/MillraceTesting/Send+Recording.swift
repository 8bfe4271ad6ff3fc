import Millrace

extension Send {
  /// Returns a `Send` that appends every action to `recorder` and answers `.reduced`, or the given delivery.
  ///
  /// For tests of one effect component without a store:
  ///
  /// ```swift
  /// let sent = Recorder<Search.Action>()
  /// await SearchEffect(client: client).run("swift", send: .recording(into: sent))
  /// #expect(sent.values == [.arrived(["swift.org"])])
  /// ```
  ///
  /// Answer with `.fenced` to test how an effect reacts when its run is no longer wanted.
  public static func recording(
    into recorder: Recorder<Action>, answering delivery: Delivery = .reduced
  ) -> Send {
    Send { action in
      recorder.append(action)
      await Task.yield()  // as in a store, so that an effect that sends without end does not block a thread
      return delivery
    }
  }
}
