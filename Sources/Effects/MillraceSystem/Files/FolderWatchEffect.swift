import Dispatch
import Millrace
import MillraceEffects

/// Watches the folders that the state asks for, and sends their listings.
///
/// ```swift
/// store.connect(FolderWatchEffect(), to: \.folders, action: SpoolAction.folder, longRunning: true)
/// ```
///
/// A run lasts as long as its request is in the state. It sends a listing of the folder at once, and a new listing
/// whenever the files differ from the last one. A changed file is listed once it has not changed for
/// ``FolderWatchRequest/quiet``. So the last listing is right even if the system drops reports of changes.
///
/// The first listing, too, leaves out files that were written less than ``FolderWatchRequest/quiet`` ago; another one
/// with these files follows. A program that ends when nothing is left to do must wait for that: with each listing, it
/// asks for a timer somewhat longer than `quiet`, and ends when the timer fires and nothing is left.
///
/// If the folder is removed or does not exist yet, the run sends one failure, lists again every second, and sends a
/// listing as soon as the folder exists. A folder that is replaced by another one is watched in its new place.
///
/// To read every changed file, keep in the state which changes were read, and ask for the difference. The case `watch`
/// of the sample `cases` does so.
///
/// Unsuitable for following one file line by line while it grows: run `tail -F` by a ``SubprocessEffect``, as the page
/// *Programs and the terminal* shows.
///
/// On Linux the system reports changes by `inotify`. On other systems, and if Linux has no watch left, the folder is
/// listed every second. A listing costs one system call for each file, on a thread of Dispatch, never on a thread of
/// Swift's concurrency pool.
public struct FolderWatchEffect: EffectComponent {
  private let clock: any Clock<Duration>

  /// Makes an effect, which waits on `clock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Returns the path. Two requests of one path share an identity, and the newer one restarts the run.
  public func id(of request: FolderWatchRequest) -> String { request.path }

  /// Returns every request in the state. If two have one path, the store reports it.
  public func requests(in folders: Set<FolderWatchRequest>) -> Set<FolderWatchRequest> { folders }

  /// Watches one folder until the run is stopped.
  public func run(_ request: FolderWatchRequest, send: Send<FolderWatchEvent>) async {
    var signal = FolderSignal(path: request.path, clock: clock)
    var news = FolderNews(quiet: request.quiet)
    while !Task.isCancelled {
      signal.arm()  // before the listing, so that no change is missed between the two
      let (found, start, end) = await Self.look(at: request)
      let (reported, due) = news.looked(found, from: start, to: end)
      let event: FolderWatchEvent?
      var waits = [due, request.interval]
      switch reported {
      case .success(let files): event = .listed(files, in: request)
      case .failure(let failure): event = .failed(failure, request)
      case nil: event = nil
      }
      if case .failure = found { waits.append(FolderSignal.longestWait) }
      if let event, await send(event) != .reduced { return }
      await signal.wait(atMost: waits.compactMap(\.self).min())
    }
  }

  /// Lists a folder on a thread that may block.
  private static func look(
    at request: FolderWatchRequest
  ) async -> (Result<[String: FileFacts], FolderWatchFailure>, start: Duration, end: Duration) {
    await withCheckedContinuation { looked in
      DispatchQueue.global().async {
        let start = FolderReading.now
        let files = FolderReading.files(of: request.path, named: request.names)
        looked.resume(returning: (files, start, FolderReading.now))
      }
    }
  }
}
