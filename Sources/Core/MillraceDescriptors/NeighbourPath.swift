/// The path of a companion file: the path of a file with a suffix.
///
/// File systems refuse names of more than 255 bytes. If the suffix would make the name longer, a hash of the whole name
/// replaces the end of the name.
package func neighbour(of path: String, _ suffix: String) -> String {
  let longest = 255
  let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
  let name = path.utf8[(start ?? path.startIndex)...]
  guard name.count + suffix.utf8.count > longest else { return path + suffix }
  // FNV-1a: the same in every process.
  let hash = name.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let digits = String(hash, radix: 16)
  let ending = "~" + String(repeating: "0", count: 16 - digits.utf8.count) + digits + suffix
  // Does not cut within a character.
  var end = name.index(name.startIndex, offsetBy: longest - ending.utf8.count)
  while name[end] & 0xC0 == 0x80 { end = name.index(before: end) }
  return String(decoding: path.utf8[..<end], as: UTF8.self) + ending
}
