import Millrace

extension StoreDiagnostics {
  /// Hands each mistake to `report`. A wait that is long is none: the machine may be busy.
  static func mistakes(_ report: @escaping @Sendable (StoreDiagnostic) -> Void) -> StoreDiagnostics {
    StoreDiagnostics { if $0.kind != .longWait { report($0) } }
  }
}
