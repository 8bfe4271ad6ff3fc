import Foundation

extension Pipe {
  /// Makes a pipe whose ends no child process inherits, unless it is given one.
  ///
  /// Both ends of a plain `Pipe()` are inherited by each process that any test starts. A reader gets the end of the pipe only
  /// when all these processes have ended.
  package static func uninherited() -> Pipe {
    let pipe = Pipe()
    let ends = [pipe.fileHandleForReading, pipe.fileHandleForWriting].map(\.fileDescriptor)
    #if canImport(Darwin)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
    // A process that starts meanwhile inherits the ends of `pipe`. So these become the ends of another, which is never
    // inherited.
    var others: [Int32] = [-1, -1]
    precondition(pipe2(&others, O_CLOEXEC) == 0, "no descriptors are left for a pipe")
    for (end, other) in zip(ends, others) {
      precondition(dup3(other, end, O_CLOEXEC) == end, "an end of a pipe cannot be replaced")
      close(other)
    }
    #endif
    return pipe
  }

  #if !canImport(Darwin)
  // Headers declare these for `_GNU_SOURCE` alone, which Swift does not define.
  private typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
  private static let pipe2 = unsafeBitCast(dlsym(nil, "pipe2"), to: Pipe2.self)  // its type in C
  private typealias Dup3 = @convention(c) (Int32, Int32, Int32) -> Int32
  private static let dup3 = unsafeBitCast(dlsym(nil, "dup3"), to: Dup3.self)  // its type in C
  #endif
}
