/// Opens the file that a program gets as its standard input.
enum InputFile {
  /// Opens the file for reading. Blocks no thread, although opening a named pipe (FIFO) may wait for a writer: such a
  /// pipe is opened at once, and returned as soon as something was written to it, or a writer has closed it.
  ///
  /// - Returns: `nil` if the task was cancelled before that.
  static func opened(_ path: String) async throws(SubprocessFailure) -> Descriptor? {
    guard !path.utf8.contains(0) else { throw .notPassable(path) }
    let file: Descriptor
    do throws(Descriptor.Failure) { file = try .reading(path, blocking: false) } catch {
      throw error.isForWantOfNumbers
        ? .notStarted(errorNumber: error.number) : .unreadableInput(path: path, errorNumber: error.number)
    }
    if file.isPipe, await !Readiness(file.number, .reading).waitUnlessCancelled() {
      file.close()
      return nil
    }
    file.setBlocking()
    return file
  }
}
