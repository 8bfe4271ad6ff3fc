import Foundation
import LinkcheckReaders

/// Asks the system about paths, whose bytes need not be valid text.
enum FilePath {
  /// A path in the form for system calls; `nil` if it has a zero byte, which no name can have.
  static func terminated(_ path: [UInt8]) -> [CChar]? {
    path.contains(0) ? nil : path.map { CChar(bitPattern: $0) } + [0]
  }

  /// The path without detours through links that lead back to an enclosing folder, which could go on for ever; `nil` if
  /// it has none. Folders are compared by their devices and inodes.
  static func withoutLoops(_ path: [UInt8]) -> [UInt8]? {
    let slash = UInt8(ascii: "/")
    var kept: [UInt8] = []
    var isLoop = false
    var folders: [(device: UInt64, number: UInt64, end: Int)] = []
    for name in [[]] + path.split(separator: slash) {
      let next = name.isEmpty ? [] : kept + [slash] + name
      var status = stat()
      let isFolder =
        terminated(next.isEmpty ? [slash] : next).map { stat($0, &status) } == 0
        && status.st_mode & S_IFMT == S_IFDIR
      let known = folders.firstIndex { isFolder && $0.device == status.st_dev && $0.number == status.st_ino }
      if let known {
        folders.removeLast(folders.count - known - 1)
        (kept, isLoop) = (Array(kept[..<folders[known].end]), true)
      } else {
        if isFolder { folders.append((UInt64(status.st_dev), UInt64(status.st_ino), next.count)) }
        kept = next
      }
    }
    guard isLoop else { return nil }
    return path.last == slash || kept.isEmpty ? kept + [slash] : kept
  }

  /// The program's working folder.
  static var workingFolder: [UInt8] {
    guard let path = getcwd(nil, 0) else { return Array(FileManager.default.currentDirectoryPath.utf8) }
    defer { free(path) }
    return (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) }
  }

  /// The path as text. Bytes that are not text are shown as `\xE4`.
  static func text(_ path: [UInt8]) -> String {
    if TextEncoding.isUTF8(path) { return String(decoding: path, as: UTF8.self) }
    var text = ""
    var rest = path[...]
    while let first = rest.first {
      let length = (1...4).first {
        rest.count >= $0 && String(validating: rest.prefix($0), as: UTF8.self) != nil
      }
      if let length {
        text += String(decoding: rest.prefix(length), as: UTF8.self)
        rest = rest.dropFirst(length)
      } else {
        text += "\\x" + (first < 16 ? "0" : "") + String(first, radix: 16, uppercase: true)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}
