/// The moments of a shutdown at which connections end, in their order.
enum ShutdownMoment: Comparable {
  /// The graceful time is over: what runs is stopped.
  case work
  /// Nothing more is reduced: sequences end with the last value, and nobody waits for another state.
  case reading
  /// Components, views, and the parts that these belong to have got the last props, and everything has returned, or the
  /// hard deadline has passed.
  case showing
  /// Everything else has ended, which observers are told.
  case observing
}
