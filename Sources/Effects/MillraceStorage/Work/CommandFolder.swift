import Foundation
import MillraceDescriptors

/// The folder of commands beside a kept file. Each command is a file of its own, so that no process changes the file of
/// another.
struct CommandFolder: Sendable {
  private let path: String
  private let disk: any Disk

  init(of file: String, disk: any Disk = PosixDisk()) {
    path = neighbour(of: file, ".commands")
    self.disk = disk
  }

  /// What is in the folder.
  struct Contents: Equatable {
    /// In the order in which they were asked for.
    var commands: [WorkCommand] = []
    /// The names of files that are no commands, or cannot be read.
    var others: [String] = []
    /// Whether everything was read. A command that was not read must not be taken for one that was removed.
    var isWhole = true
  }

  /// Reads the folder. If it does not exist, costs one check.
  func contents() -> Contents {
    var contents = Contents()
    guard disk.exists(path) else { return contents }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return disk.exists(path) ? Contents(others: ["the folder itself"], isWhole: false) : contents
    }
    for name in names.sorted() {
      do throws(StorageFailure) {
        if let change = try change(in: name) {
          contents.commands.append(WorkCommand(name: name, change: change))
          continue
        }
      } catch { contents.isWhole = false }
      if disk.exists("\(path)/\(name)") { contents.others.append(name) }
    }
    return contents
  }

  /// The command in a file; `nil` if the file is unfinished, is no regular file, or is larger than any command.
  private func change(in name: String) throws(StorageFailure) -> WorkCommand.Change? {
    let file = "\(path)/\(name)"
    guard !name.hasSuffix(".new"), let found = try disk.identity(of: file), found.isRegular,
      found.size < 65_536, let bytes = try disk.contents(of: file)?.bytes
    else { return nil }
    return try? JSONDecoder().decode(WorkCommand.Change.self, from: bytes)
  }

  /// Adds a command behind all others, whatever the clock says. Returns when it is on the medium.
  func add(_ change: WorkCommand.Change) throws(StorageFailure) {
    let bytes: Data
    do { bytes = try JSONEncoder().encode(change) } catch { throw .notEncodable("\(error)") }
    for attempt in 1... {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StorageFailure(errno, path) }
      try disk.syncFolder(of: path)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let moments = names.compactMap { UInt64($0.prefix { $0 != "-" }) }
      let now = UInt64(max(0, Date().timeIntervalSince1970) * 1_000_000)
      let file = "\(path)/\(max(now, (moments.max() ?? 0) &+ 1))-\(UInt32.random(in: 0 ... .max))"
      do throws(StorageFailure) {
        _ = try disk.write(bytes, to: "\(file).new")
        try disk.rename("\(file).new", to: file)
        return try disk.syncFolder(of: file)
      } catch {
        // The program may have removed the empty folder.
        guard case .noSuchFolder = error, attempt < 100 else { throw error }
      }
    }
  }

  /// Removes commands, and the folder if it is then empty. Returns when the removal is on the medium.
  func remove(_ names: Set<String>) {
    guard !names.isEmpty, disk.exists(path) else { return }
    for name in names { try? disk.remove("\(path)/\(name)") }
    try? disk.syncFolder(of: "\(path)/.")
    rmdir(path)
  }
}
