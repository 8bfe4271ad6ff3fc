import Foundation
import MillraceCoverage
import MillraceDescriptors

/// The file to which test stores write requests and outcomes, named by `MILLRACE_COVERAGE`.
enum CoverageFile {
  private static let path = ProcessInfo.processInfo.environment["MILLRACE_COVERAGE"]

  /// Appends the requests of one store to the file; does nothing if no file is named.
  static func append(_ coverage: RequestCoverage) {
    guard let path, !coverage.effects.isEmpty else { return }
    do {
      try coverage.append(toFile: path)
    } catch {
      StandardError.write(line: "millrace: request coverage cannot be written: \(error)")
    }
  }
}
