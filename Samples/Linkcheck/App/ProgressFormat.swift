import Foundation
import LinkcheckReaders
import MillraceStorage

extension JournalFormat where Key == KeptKey, Value == KeptEntry {
  /// An address is kept as its text, an entry as JSON.
  static var progress: JournalFormat {
    JournalFormat(
      version: 1,
      encodeKey: { key in
        switch key {
        case .check: Data()
        case .address(let address): Data(address.text.utf8)
        }
      },
      encodeValue: { entry in
        let encoder = JSONEncoder()
        // Addresses are full of them.
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(entry)
      },
      decodeKey: { data, _ in
        guard !data.isEmpty else { return .check }
        guard let address = Address(String(decoding: data, as: UTF8.self)) else { throw KeptKeyError() }
        return .address(address)
      },
      decodeValue: { data, _ in try JSONDecoder().decode(KeptEntry.self, from: data) })
  }
}

/// A key of the progress file that is no address.
struct KeptKeyError: Error {}
