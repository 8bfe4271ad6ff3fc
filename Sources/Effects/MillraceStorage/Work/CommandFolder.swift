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

  /// Reads the commands in the order in which they were asked for, and the names of other files. Without the folder,
  /// costs one check whether it exists.
  func waiting() -> (commands: [WorkCommand], others: [String]) {
    guard disk.exists(path), let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return ([], [])
    }
    var (commands, others): ([WorkCommand], [String]) = ([], [])
    for name in names.sorted() where !name.hasSuffix(".new") {
      let bytes = (try? disk.contents(of: "\(path)/\(name)"))?.bytes ?? Data()
      if let change = try? JSONDecoder().decode(WorkCommand.Change.self, from: bytes) {
        commands.append(WorkCommand(name: name, change: change))
      } else if disk.exists("\(path)/\(name)") {
        others.append(name)
      }
    }
    return (commands, others)
  }

  /// Adds a command. Returns when it is on the medium.
  func add(_ change: WorkCommand.Change) throws(StorageFailure) {
    let (moment, random) = (UInt64(Date().timeIntervalSince1970 * 1_000_000), UInt32.random(in: 0 ... .max))
    let file = "\(path)/\(moment)-\(random)"
    let bytes: Data
    do { bytes = try JSONEncoder().encode(change) } catch { throw .notEncodable("\(error)") }
    for attempt in 1... {
      if !disk.exists(path) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StorageFailure(errno, path) }
        try disk.syncFolder(of: path)
      }
      do throws(StorageFailure) {
        _ = try disk.write(bytes, to: "\(file).new")
        try disk.rename("\(file).new", to: file)
        return try disk.syncFolder(of: file)
      } catch {
        // The program may have removed the empty folder.
        guard attempt < 100, !disk.exists(path) else { throw error }
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
