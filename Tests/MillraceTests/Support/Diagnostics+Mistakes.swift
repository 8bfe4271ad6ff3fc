import Millrace

extension Diagnostics {
  /// Hands each mistake to `report`. A wait that is long is none: the machine may be busy.
  static func mistakes(_ report: @escaping @Sendable (Diagnostic) -> Void) -> Diagnostics {
    Diagnostics { if $0.kind != .longWait { report($0) } }
  }
}
