package enum StandardError {
  /// Writes one line.
  package static func write(line: String) {
    // A failure of standard error cannot be reported anywhere.
    _ = Array("\(line)\n".utf8).withUnsafeBytes { DescriptorIO.writeAll($0, to: 2) }
  }
}
