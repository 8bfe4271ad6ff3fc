import Foundation

/// Reads a file that the system makes as it is read, such as `/proc/self/net/tcp`. It has no size, and
/// `String(contentsOfFile:)` returns its first page alone.
package func systemFile(_ path: String) -> String {
  let bytes = try? FileHandle(forReadingAtPath: path)?.readToEnd()
  return String(decoding: bytes ?? Data(), as: UTF8.self)
}
