package enum StandardError {
  /// Writes one line.
  package static func write(line: String) {
    // There is no place to report that standard error fails.
    _ = Array("\(line)\n".utf8).withUnsafeBytes { DescriptorIO.writeAll($0, to: 2) }
  }
}
