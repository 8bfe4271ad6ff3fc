#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Finds the file of a program, so that what is wrong with it can be told apart.
enum ExecutableSearch {
  /// Where names are looked for if there is no `PATH`.
  private static let standardFolders = "/usr/bin:/bin"

  /// The path of a program that this user may run.
  static func path(of executable: String, searching folders: String?) throws(SubprocessFailure) -> String {
    if executable.contains("/") {
      let path = absolute(executable)
      guard isFile(path) else {
        throw isThere(path) ? .notExecutable(path: executable) : .notFound(executable)
      }
      guard access(path, X_OK) == 0 else { throw .notExecutable(path: executable) }
      return path
    }
    guard !executable.isEmpty else { throw .notFound(executable) }
    var refused: String?
    for folder in (folders ?? standardFolders).split(separator: ":", omittingEmptySubsequences: false) {
      // An empty entry has always meant the current folder.
      let path = absolute(folder.isEmpty ? executable : "\(folder)/\(executable)")
      guard isFile(path) else { continue }
      if access(path, X_OK) == 0 { return path }
      refused = refused ?? path
    }
    if let refused { throw .notExecutable(path: refused) }
    throw .notFound(executable)
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  private static func isFile(_ path: String) -> Bool {
    mode(of: path).map { $0 & S_IFMT == S_IFREG } ?? false
  }
  private static func isThere(_ path: String) -> Bool { mode(of: path) != nil }

  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// The program is looked up from here, wherever it is to be started.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }
}
