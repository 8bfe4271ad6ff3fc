extension Store {
  /// Where the tasks of each run wait for something that only a test brings about, in words, by the number of the run.
  package func waitingPlaces() -> [UInt64: [String]] { engine.locked { engine.parking.placesOfRuns } }
}
