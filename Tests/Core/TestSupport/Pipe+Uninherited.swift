import Foundation

extension Pipe {
  /// Makes a pipe whose ends no child process inherits, unless it is given one.
  ///
  /// Both ends of a plain `Pipe()` are inherited by each process that any test starts. A reader gets the end of the pipe only
  /// when all these processes have ended.
  package static func uninherited() -> Pipe {
    let pipe = Pipe()
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    return pipe
  }
}
