import MillraceDescriptors

/// Writes the story of an exploration to standard error when a reducer, a selector or `requests(in:)` traps, before the
/// process ends.
///
/// A trap is a signal that the thread raises by an instruction of its own, in the program's code. POSIX allows the
/// handler to call any function then, since the trap interrupts no function that is unsafe to interrupt.
enum TrapWatch {
  /// Writes the story.
  private typealias Telling = () -> Void

  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGFPE]

  /// The key of each thread's watch, and the previous handlers of the signals.
  private static let installed: (key: pthread_key_t, former: [sigaction]) = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    let former = signals.map { signal in
      var (action, former) = (sigaction(), sigaction())
      action.handler = handle
      sigaction(signal, &action, &former)
      return former
    }
    return (key, former)
  }()

  private static let handle: @convention(c) (Int32) -> Void = { signal in
    // Restores the previous handler: the instruction is executed again when this handler returns, and traps again.
    if let index = signals.firstIndex(of: signal) {
      var former = installed.former[index]
      sigaction(signal, &former, nil)
    }
    guard let pointer = pthread_getspecific(installed.key) else { return }
    pthread_setspecific(installed.key, nil)
    pointer.assumingMemoryBound(to: Telling.self).pointee()  // on the stack of `watch(_:telling:_:)`
  }

  /// Calls `body`. If it traps, writes the story of the last move and the state from which it was made.
  static func watch(
    _ trail: Trail, telling tell: @escaping (_ path: [Int]?, _ move: Int) -> String, _ body: () -> Void
  ) {
    let telling: Telling = {
      StandardError.write(
        line: tell(trail.state < 0 ? nil : trail.path(to: Int(trail.state)), Int(trail.move)))
    }
    let key = installed.key
    let outer = pthread_getspecific(key)
    withUnsafePointer(to: telling) { pointer in  // valid within the call
      pthread_setspecific(key, pointer)
      body()
      pthread_setspecific(key, outer)
    }
  }
}
