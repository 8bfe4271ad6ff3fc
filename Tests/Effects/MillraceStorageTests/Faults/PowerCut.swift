import Foundation
import TestSupport

/// What a disk may hold after the power was cut, by the system calls that a process had made until then.
///
/// What was written and not synced may be there in whole, in part by sectors of 512 bytes, or not at all; so may
/// the length of a file, and names of a folder, in the order of their changes, until the folder is synced.
struct PowerCut {
  private struct File {
    var durable = Data()
    var pending: [Change] = []
  }

  private enum Change {
    case write(offset: Int, bytes: Data)
    case truncate(size: Int)
  }

  private enum Naming {
    case give(String, file: Int)
    case move(String, to: String)
    case remove(String)
  }

  /// How much of what is pending has come to the medium.
  enum Extent: CaseIterable {
    case nothing
    case dataOnly
    case namesOnly
    case everything
    case some
    case someOther
  }

  private var files: [File] = []
  /// By inode, which a later file may have again.
  private var numbers: [String: Int] = [:]
  private var names: [String: Int] = [:]
  private var pending: [Naming] = []
  /// What the process has said.
  private(set) var lines: [String] = []

  /// Begins with an empty folder.
  init() {}

  /// Begins with what is in a folder, which is on the medium.
  init(_ folder: TemporaryFolder) throws {
    for name in folder.names {
      var status = stat()
      guard stat(folder.file(name), &status) == 0 else { continue }
      let inode = "\(status.st_ino)"
      if numbers[inode] == nil {
        numbers[inode] = files.count
        files.append(File(durable: try folder.read(name)))
      }
      names[name] = numbers[inode]
    }
  }

  /// Takes in one line of a trace.
  mutating func took(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words.first {
    case "create":
      numbers[words[2]] = files.count
      pending.append(.give(name(words[1]), file: files.count))
      files.append(File())
    case "write":
      guard let file = numbers[words[1]], let offset = Int(words[2]) else { return }
      files[file].pending.append(.write(offset: offset, bytes: Data(hex: words[3])))
    case "truncate":
      guard let file = numbers[words[1]], let size = Int(words[2]) else { return }
      files[file].pending.append(.truncate(size: size))
    case "fsync":
      guard let file = numbers[words[1]] else {
        // The folder.
        for naming in pending { Self.apply(naming, to: &names) }
        pending = []
        return
      }
      for change in files[file].pending { Self.apply(change, to: &files[file].durable) }
      files[file].pending = []
    case "rename": pending.append(.move(name(words[1]), to: name(words[2])))
    case "link":
      var all = names
      for naming in pending { Self.apply(naming, to: &all) }
      guard let file = all[name(words[1])] else { return }
      pending.append(.give(name(words[2]), file: file))
    case "unlink": pending.append(.remove(name(words[1])))
    case "say": lines.append(words.dropFirst().joined(separator: " "))
    default: break
    }
  }

  /// Makes what may be there if the power is cut now.
  func leave(_ extent: Extent, in folder: TemporaryFolder, using random: inout SeededGenerator) throws {
    var names = names
    let named =
      switch extent {
      case .nothing, .dataOnly: 0
      case .namesOnly, .everything: pending.count
      case .some, .someOther: Int.random(in: 0...pending.count, using: &random)
      }
    for naming in pending.prefix(named) { Self.apply(naming, to: &names) }
    for (name, file) in names {
      var bytes = files[file].durable
      for change in files[file].pending {
        switch extent {
        case .nothing, .namesOnly: break
        case .dataOnly, .everything: Self.apply(change, to: &bytes)
        case .some, .someOther:
          for part in Self.sectors(of: change) where Bool.random(using: &random) {
            Self.apply(part, to: &bytes)
          }
        }
      }
      try folder.write(bytes, to: name)
    }
  }

  private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  private static func apply(_ naming: Naming, to names: inout [String: Int]) {
    switch naming {
    case .give(let name, let file): names[name] = file
    case .move(let name, let other):
      guard let file = names[name] else { return }
      // Where both name one file, both stay.
      if names[other] != file {
        names[other] = file
        names[name] = nil
      }
    case .remove(let name): names[name] = nil
    }
  }

  private static func apply(_ change: Change, to bytes: inout Data) {
    switch change {
    case .truncate(let size):
      if bytes.count < size {
        bytes.append(Data(count: size - bytes.count))
      } else {
        bytes = bytes.prefix(size)
      }
    case .write(let offset, let new):
      let end = offset + new.count
      if bytes.count < end { bytes.append(Data(count: end - bytes.count)) }
      bytes.replaceSubrange(offset..<end, with: new)
    }
  }

  /// The parts of a change that come to the medium each by itself.
  private static func sectors(of change: Change) -> [Change] {
    guard case .write(let offset, let bytes) = change else { return [change] }
    var parts: [Change] = []
    var start = 0
    while start < bytes.count {
      let next = min(bytes.count, ((offset + start) / 512 + 1) * 512 - offset)
      parts.append(.write(offset: offset + start, bytes: Data(bytes[start..<next])))
      start = next
    }
    return parts
  }
}

extension Data {
  fileprivate init(hex: String) {
    self.init(capacity: hex.utf8.count / 2)
    var high: UInt8?
    for character in hex.utf8 {
      let digit = character < 58 ? character - 48 : character - 87
      if let first = high {
        append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
  }
}
