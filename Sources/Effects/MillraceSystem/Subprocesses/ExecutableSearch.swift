import Foundation

/// Finds the file of a program, so that each problem with it gets an error of its own. Names and paths are bytes, so a
/// slash is found even before a combining mark.
enum ExecutableSearch {
  /// A path in the system's form, with a zero at the end.
  typealias Path = [CChar]

  private static let slash = UInt8(ascii: "/")
  /// The folders in which names are looked up if there is no `PATH`.
  private static let standardFolders = Array("/usr/bin:/bin".utf8)

  /// The path of a program that this user may run.
  static func path(of executable: String, searching folders: [UInt8]?) throws(SubprocessFailure) -> Path {
    let name = Array(executable.utf8)
    if name.contains(slash) {
      let path = absolute(name)
      guard isFile(path) else {
        throw isThere(path) ? .notExecutable(path: executable) : .notFound(executable)
      }
      guard access(path, X_OK) == 0 else { throw .notExecutable(path: executable) }
      return path
    }
    guard !name.isEmpty else { throw .notFound(executable) }
    var refused: Path?
    let separator = UInt8(ascii: ":")
    for folder in (folders ?? standardFolders).split(separator: separator, omittingEmptySubsequences: false) {
      // An empty entry has always meant the current folder.
      let path = absolute(folder.isEmpty ? name : folder + [slash] + name)
      guard isFile(path) else { continue }
      if access(path, X_OK) == 0 { return path }
      refused = refused ?? path
    }
    if let refused { throw .notExecutable(path: text(of: refused)) }
    throw .notFound(executable)
  }

  /// The path as text, for errors.
  static func text(of path: Path) -> String {
    String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the path is that of a folder.
  static func isFolder(_ path: String) -> Bool {
    mode(of: Array(path.utf8CString)).map { $0 & S_IFMT == S_IFDIR } ?? false
  }

  private static func isFile(_ path: Path) -> Bool {
    mode(of: path).map { $0 & S_IFMT == S_IFREG } ?? false
  }
  private static func isThere(_ path: Path) -> Bool { mode(of: path) != nil }

  private static func mode(of path: Path) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// Makes a path absolute, since the program is looked up from this process's folder, not from its future one.
  private static func absolute(_ bytes: [UInt8]) -> Path {
    let path = bytes.map { CChar(bitPattern: $0) } + [0]
    guard bytes.first != slash, let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    // A C string that this function owns until it is freed above; its bytes are copied here.
    return UnsafeBufferPointer(start: here, count: strlen(here)) + [CChar(bitPattern: slash)] + path
  }
}
