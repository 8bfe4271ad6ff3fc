/// Where a recording is kept.
public struct TraceDestination: Sendable {
  enum Kind: Sendable {
    case file(path: String, rotatingAt: Int?, keeping: Int)
    case ring(path: String, bytes: Int)
    case memory(TraceMemory)
  }

  let kind: Kind

  /// A file of lines of JSON, readable by its owner alone. A file that is there is replaced; a device, a pipe
  /// or a link is refused.
  ///
  /// What was written survives the end of the program, however it ends, but not a power cut.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - size: from how many bytes on the recording goes on in a new file; `nil` keeps one file. The file before is
  ///     then called `<path>.1`, the one before that `<path>.2`. Each begins with a snapshot and can be read alone.
  ///   - count: how many files before the current one are kept.
  public static func file(_ path: String, rotatingAt size: Int? = nil, keeping count: Int = 1) -> Self {
    Self(kind: .file(path: path, rotatingAt: size, keeping: max(0, count)))
  }

  /// A flight recorder: a file of fixed size, mapped into memory, in which new lines replace the oldest.
  ///
  /// Writing costs no call of the system. The system keeps the file when the program traps or is killed, so the last
  /// lines can be read then, without a signal handler. `millrace inspect` and all other readers take the file as they
  /// take any recording.
  ///
  /// - Parameters:
  ///   - path: the path of the file. A file that is there is replaced; a device, a pipe or a link is refused.
  ///   - bytes: its size; at least 64 KiB. A quarter of it must hold a snapshot of the state for the recording to be
  ///     replayable.
  public static func ring(_ path: String, bytes: Int = 4 << 20) -> Self {
    Self(kind: .ring(path: path, bytes: max(bytes, 64 << 10)))
  }

  /// Memory, for tests and for a program that decides later what to do with it. Grows with every action.
  public static func memory(_ memory: TraceMemory) -> Self { Self(kind: .memory(memory)) }
}
