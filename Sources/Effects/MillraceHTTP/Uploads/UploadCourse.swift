/// The progress of an upload that can be resumed. Decides the step after each answer of the server.
///
/// Each answer must report more of the file than the answer before, so that the upload ends.
struct UploadCourse {
  enum Step: Hashable {
    /// Send the whole file, as in the request.
    case create
    /// Ask the server how much it has.
    case ask
    /// Send the file from a position on. At its end, this completes the upload.
    case send(from: Int)
  }

  enum Next: Equatable {
    case step
    /// The server no longer has the file. `step` begins anew.
    case beginAnew
    /// The answer is that of the upload, which has ended.
    case over
    /// The answer is that of this attempt. The upload may continue.
    case notOver
    /// The server contradicts itself or the file.
    case broken(String)
  }

  /// The next step.
  private(set) var step: Step
  private let kind: HTTPUploadResumption
  private let size: Int
  /// The number of bytes that the server has reported.
  private var known = -1
  private var isCompleting = false

  init(_ kind: HTTPUploadResumption, size: Int, goesOn: Bool) {
    (self.kind, self.size, step) = (kind, size, goesOn ? .ask : .create)
  }

  /// The answer to `step` has arrived.
  mutating func answered(_ status: Int, _ headers: HTTPHeaders) -> Next {
    let isGood = (200..<300).contains(status)
    let isGone = [404, 410].contains(status)
    if kind == .contentRanges {
      guard status == 308 else { return isGood || isGone ? .over : .notOver }
      guard let range = headers["range"] else { return reached(0) }
      let part = ContentRange(range.replacing("=", with: " ") + "/*")
      return reached(part?.first == 0 ? part?.end : nil)
    }
    let isComplete = headers.isUploadComplete
    let place = headers.count("upload-offset")
    let isPart = headers.count("upload-length") ?? size != size || isComplete && place ?? size != size
    if step == .create {
      if !isComplete, status >= 500 || HTTPFailure.isTransient(status: status) { return .notOver }
      let hasAll = !isPart && headers.item("upload-complete") != "?0"
      return isGood && !hasAll ? .broken("it takes a part of the file for the whole") : .over
    }
    if isGone, !isComplete {
      (step, known, isCompleting) = (.create, -1, false)
      return .beginAnew
    }
    if isPart { return .broken("it takes a part of the file for the whole") }
    if isComplete { return .over }
    if isGood, step != .ask {
      step = .ask
      return .step
    }
    if isGood || (status == 409 && place != nil) { return reached(place) }
    // A question that is refused will be refused again: the next attempt begins anew.
    let mayBeAsked = [401, 403, 407, 409].contains(status) || HTTPFailure.isTransient(status: status)
    return step == .ask && (400..<500).contains(status) && !mayBeAsked ? .over : .notOver
  }

  /// The server reports that it has the file up to `place`.
  private mutating func reached(_ place: Int?) -> Next {
    guard let place else { return .broken("it does not say how much of the file it has") }
    guard place <= size else { return .broken("it has more of the file than there is") }
    guard place >= known else { return .broken("it has lost a part of the file") }
    guard place > known || (place == size && !isCompleting) else {
      return .broken("it takes no more of the file")
    }
    (known, isCompleting, step) = (place, place == size, .send(from: place))
    return .step
  }
}

extension HTTPHeaders {
  /// The value of a field of one item, without parameters.
  fileprivate func item(_ name: String) -> Substring? { self[name]?.prefix { $0 != ";" }.trimmingBlanks }

  /// The value of a field that is a number of bytes; `nil` for any other value.
  func count(_ name: String) -> Int? {
    item(name).flatMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
  }

  var isUploadComplete: Bool { item("upload-complete") == "?1" }
}
