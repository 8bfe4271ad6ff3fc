/// An event on which a recording is written out. More will be added, so a `switch` needs a default.
@nonexhaustive public enum TraceOccasion: Hashable, Sendable {
  /// The store reports a mistake of the program. The report is a line of the recording.
  case diagnostic
  /// A run fails.
  case failure
  /// The store was shut down, and some run had not returned by the hard deadline. The shutdown does not wait for the
  /// file: await ``TraceRecording/finish()`` before the program ends.
  case uncleanShutdown
  /// The process gets a signal of this number. The signal then has no other effect, for the whole process and also
  /// after the recording has ended.
  case signal(Int32)
}
