import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a line at once and in one piece, so that a killed process has written whole lines.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Has the system refuse what it refuses to users, also where tests run as root.
func dropPrivileges() {
  guard geteuid() == 0 else { return }
  precondition(setgid(65534) == 0 && setuid(65534) == 0)
}

/// Has writes fail beyond a size, as on a full disk.
func limitFiles(toBytes size: Int) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
  #if canImport(Glibc)
  let status = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
  let status = setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  precondition(status == 0)
}

/// Returns when the test has closed the input. Waits on a thread of its own: that of the caller may be the only one.
func inputEnded() async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      while readLine() != nil {}
      continuation.resume()
    }
  }
}
