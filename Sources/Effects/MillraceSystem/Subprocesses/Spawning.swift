#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation

/// Starts processes. Blocks until the new program runs, or the reason is known why it does not.
enum Spawning {
  /// The error numbers of `posix_spawn` that concern the file of the program.
  private static let notExecutable: Set<Int32> = {
    let everywhere: Set = [ENOENT, EACCES, EPERM, ENOEXEC, ENOTDIR, ELOOP, EISDIR]
    #if canImport(Darwin)
    return everywhere.union([EBADARCH, EBADEXEC, EBADMACHO, ESHLIBVERS])
    #else
    return everywhere.union([ELIBBAD])
    #endif
  }()

  /// - Parameter file: the standard input if that is a file. It is closed in any case.
  static func spawn<ID>(
    _ request: SubprocessRequest<ID>, reading file: Descriptor?, _ exits: AsyncStream<SubprocessTermination?>
  ) throws(SubprocessFailure) -> SpawnedProcess {
    defer { file?.close() }
    let environment = try EnvironmentVariables(request.environment)
    for text in [request.executable] + request.arguments + [request.workingDirectory ?? ""] {
      guard !text.utf8.contains(0) else { throw .notPassable(text) }
    }
    if let folder = request.workingDirectory, !ExecutableSearch.isFolder(folder) {
      throw .noWorkingDirectory(folder)
    }
    let folders = environment.values[Array("PATH".utf8)]
    let path = try ExecutableSearch.path(of: request.executable, searching: folders)
    return try spawn(path, request, environment.entries, reading: file, exits)
  }

  private static func spawn<ID>(
    _ path: ExecutableSearch.Path, _ request: SubprocessRequest<ID>, _ environment: [[UInt8]],
    reading file: Descriptor?, _ exits: AsyncStream<SubprocessTermination?>
  ) throws(SubprocessFailure) -> SpawnedProcess {
    var theirs: [Descriptor] = []
    var ours: [Descriptor] = []
    var groupGuard: GroupGuard?
    var isStarted = false
    defer {
      for descriptor in theirs { descriptor.close() }
      if !isStarted {
        for descriptor in ours { descriptor.close() }
        groupGuard?.end()
      }
    }
    var input: Descriptor?
    switch request.input {
    case .empty:
      theirs.append(try started { () throws(Descriptor.Failure) in try .reading("/dev/null") })
    case .file:
      break
    case .bytes, .live:
      let pipe = try started { () throws(Descriptor.Failure) in try Descriptor.pipe(ours: \.write) }
      theirs.append(pipe.read)
      ours.append(pipe.write)
      input = pipe.write
    }
    var outputs: [Descriptor] = []
    for _ in 0..<(request.mergesErrors ? 1 : 2) {
      let pipe = try started { () throws(Descriptor.Failure) in try Descriptor.pipe(ours: \.read) }
      theirs.append(pipe.write)
      ours.append(pipe.read)
      outputs.append(pipe.read)
    }
    // Standard input, output and error, in this order.
    var standard = ([file].compactMap { $0 } + theirs).map(\.number)
    if request.mergesErrors { standard.append(standard[1]) }
    if request.diesWithParent {
      groupGuard = try started { () throws(Descriptor.Failure) in try GroupGuard.start() }
    }
    let id = try started { () throws(Descriptor.Failure) in
      try PosixSpawn.start(
        path, ([request.executable] + request.arguments).map { Array($0.utf8) }, environment: environment,
        standard: standard, folder: request.workingDirectory, group: groupGuard?.id ?? 0)
    } refusing: { number in
      notExecutable.contains(number)
        ? .notExecutable(path: ExecutableSearch.text(of: path)) : .notStarted(errorNumber: number)
    }
    isStarted = true
    return SpawnedProcess(
      id: id, output: outputs[0], errors: outputs.dropFirst().first, input: input,
      groupGuard: groupGuard, exits: exits)
  }

  private static func started<Result>(
    _ body: () throws(Descriptor.Failure) -> Result,
    refusing failure: (Int32) -> SubprocessFailure = { .notStarted(errorNumber: $0) }
  ) throws(SubprocessFailure) -> Result {
    do throws(Descriptor.Failure) { return try body() } catch { throw failure(error.number) }
  }
}
#endif
