/// The place where a recording is stored.
public struct TraceDestination: Sendable {
  enum Kind: Sendable {
    case file(path: String, rotatingAt: Int?, keeping: Int)
    case ring(path: String, bytes: Int)
    case memory(TraceMemory)
  }

  let kind: Kind

  /// A file of lines of JSON, readable only by its owner. An existing file is replaced; a device, a pipe or a link is
  /// refused.
  ///
  /// The lines written survive any end of the program, but not a power cut.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - size: the size in bytes from which on the recording continues in a new file; `nil` keeps one file. The
  ///     previous file is then called `<path>.1`, the one before that `<path>.2`. Each begins with a snapshot and can
  ///     be read alone.
  ///   - count: the number of previous files that are kept.
  public static func file(_ path: String, rotatingAt size: Int? = nil, keeping count: Int = 1) -> Self {
    Self(kind: .file(path: path, rotatingAt: size, keeping: max(0, count)))
  }

  /// A flight recorder: a file of fixed size, mapped into memory, in which new lines replace the oldest.
  ///
  /// Writing needs no system call. The system keeps the file if the program traps or is killed, so the last lines can
  /// be read without a signal handler. `millrace inspect` and all other readers read the file like any recording.
  ///
  /// - Parameters:
  ///   - path: the path of the file. An existing file is replaced; a device, a pipe or a link is refused.
  ///   - bytes: the size of the file, at least 64 KiB. The recording can be replayed only if a quarter of it can hold a
  ///     snapshot of the state.
  public static func ring(_ path: String, bytes: Int = 4 << 20) -> Self {
    Self(kind: .ring(path: path, bytes: max(bytes, 64 << 10)))
  }

  /// Memory, for tests and for programs that decide later what to do with the recording. Grows with every action.
  public static func memory(_ memory: TraceMemory) -> Self { Self(kind: .memory(memory)) }
}
