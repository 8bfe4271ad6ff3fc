import Foundation
import LinkcheckReaders
import MillraceStorage

extension JournalFormat where Key == KeptKey, Value == KeptEntry {
  /// Stores an address as its text, and an entry as JSON. Neither contains the password of the check's first address.
  static func progress(of start: Address) -> JournalFormat {
    let origin = start.origin + "/"
    let shown = Password.hidden(in: String(origin))
    let complete = { @Sendable (data: Data) in
      String(decoding: data, as: UTF8.self).replacing(shown, with: origin)
    }
    return JournalFormat(
      version: 1,
      encodeKey: { key in
        switch key {
        case .check: Data()
        case .address(let address): Data(Password.hidden(in: address.text).utf8)
        }
      },
      encodeValue: { entry in
        let encoder = JSONEncoder()
        // Addresses contain many slashes.
        encoder.outputFormatting = .withoutEscapingSlashes
        return Data(Password.hidden(in: String(decoding: try encoder.encode(entry), as: UTF8.self)).utf8)
      },
      decodeKey: { data, _ in
        guard !data.isEmpty else { return .check }
        guard let address = Address(complete(data)) else { throw KeptKeyError() }
        return .address(address)
      },
      decodeValue: { data, _ in try JSONDecoder().decode(KeptEntry.self, from: Data(complete(data).utf8)) })
  }
}

/// A key of the progress file that is not an address.
struct KeptKeyError: Error {}
