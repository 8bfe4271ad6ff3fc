import Foundation

extension Pipe {
  /// Makes a pipe of which no process inherits an end but those that are given it.
  ///
  /// `Pipe()` does not set `FD_CLOEXEC`. A process that another test starts at that moment may keep the writing end, and whoever
  /// waits for the end of the pipe then waits for the end of that process too.
  package static func uninherited() -> Pipe {
    let pipe = Pipe()
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    return pipe
  }
}
