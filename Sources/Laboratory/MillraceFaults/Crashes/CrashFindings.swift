import MillraceTesting

/// The findings at the points at which the program ended. A finding shared by several points is reported at the first
/// of them, with the number of the others. Pure.
struct CrashFindings {
  private struct List {
    private var indices: [String: Int] = [:]
    private var found: [(difference: CrashReport.Difference, points: Int)] = []

    /// - Parameter findings: the findings, each with a key that identifies it.
    mutating func add<State>(_ findings: [(key: String, text: String)], at crash: Crash<State>) {
      var here: Set<String> = []
      for (key, text) in findings where here.insert(key).inserted {
        if let index = indices[key] {
          found[index].points += 1
        } else {
          indices[key] = found.count
          found.append((CrashReport.Difference(crash, text: "  \(text)"), 1))
        }
      }
    }

    var differences: [CrashReport.Difference] {
      found.map { difference, points in
        var difference = difference
        if points > 1 {
          difference.text += "\n  (and at \(points - 1) other point\(points == 2 ? "" : "s"))"
        }
        return difference
      }
    }
  }

  private var losses = List()
  private var endings = List()
  private var unsaved = List()
  /// The number of points that no rerun reached, since it took another course than the test.
  var notReached = 0

  mutating func lost<State>(_ difference: Difference?, at crash: Crash<State>) {
    losses.add(difference?.parts ?? [], at: crash)
  }

  mutating func failed<State>(_ error: any Error, at crash: Crash<State>) {
    losses.add([("", "the state cannot be persisted: \(error)")], at: crash)
  }

  /// - Parameter requests: the requests, in words, that are in progress at the end of the rerun but not of the test.
  mutating func ended<State>(_ difference: Difference?, leaving requests: [String], at crash: Crash<State>) {
    guard let difference else { return }
    let left = requests.map { (key: "in progress \($0)", text: "left in progress: \($0)") }
    endings.add(difference.parts + left, at: crash)
  }

  /// The test did not end in the rerun.
  mutating func endless<State>(_ loop: String, at crash: Crash<State>) {
    endings.add([("endless", "the test \(loop)")], at: crash)
  }

  mutating func forgotten<State>(_ requests: [RunKey], at crash: Crash<State>) {
    let found = requests.map {
      (key: $0.text, text: "\($0.text) was sent, and the program that begins again does not know of it")
    }
    unsaved.add(found, at: crash)
  }

  func report(steps: Int, points: Int, unseen: [String]) -> CrashReport {
    CrashReport(
      endings: endings.differences, losses: losses.differences, unsavedRequests: unsaved.differences,
      steps: steps, points: points, notReached: notReached, unseenTypes: unseen)
  }
}

extension Difference {
  /// The lines, each with the part of the value that it describes.
  fileprivate var parts: [(key: String, text: String)] {
    let rest = count - lines.count
    return zip(places, lines).map { ($0, $1) } + (rest > 0 ? [("…", "and \(rest) more")] : [])
  }
}
