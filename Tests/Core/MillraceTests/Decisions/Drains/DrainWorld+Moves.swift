@testable import Millrace

extension DrainWorld {
  typealias Move = Reachability<DrainWorld>.Move

  /// What does not move any more, in some of the models.
  enum Stuck {
    case nothing
    /// The usual queue begins no drain.
    case usualQueue
    /// A `deinit` that a drain calls never returns.
    case release
  }

  /// Every step that some party may make next.
  func moves(_ stuck: Stuck) -> [Move] {
    var moves: [Move] = []
    func add(_ name: String, _ change: (inout DrainWorld) -> Void) {
      var world = self
      change(&world)
      world.forgetWhatIsStale()
      moves.append(Move(name: name, configuration: world))
    }
    if stuck != .usualQueue {
      for drain in usualDrains { add("drain \(drain) begins") { $0.begin(drain, isRescue: false) } }
    }
    for drain in Set(rescues) { add("rescue \(drain) begins") { $0.begin(drain, isRescue: true) } }
    if looks > 0 { add("a look") { $0.look() } }
    for (index, party) in parties.enumerated() {
      switch party {
      case .enters where isTurnLocked, .concludes where isTurnLocked: break
      case .settles where isTurnLocked, .tells where isTurnLocked: break
      case .awaitsAnswer where !isAnswered: break
      case .drains(let thread) where thread.step == .locks && isTurnLocked: break
      case .drains(let thread) where thread.step == .performs && stuck == .release: break
      case .drains(let thread) where thread.step == .turns:
        // No other party looks at what a turn changes before the next step of this one.
        moves = []
        for isLast in [false, true] {
          add("a turn\(isLast ? ", after which the lock has been held for long" : "")") {
            $0.parties[index] = $0.makeTurn(thread, isLast: isLast)
          }
        }
        return moves
      case .drains(let thread): add("a drain \(thread.step)") { $0.parties[index] = $0.move(thread) }
      default: add("\(party)") { $0.parties[index] = $0.move(party) }
      }
    }
    return moves
  }

  /// Leaves out what makes no difference, so that there are fewer configurations: the order of the parties, those that
  /// have gone, rescues of drains that another number has followed, all but one such drain of the usual queue, and equal rescues beyond two.
  private mutating func forgetWhatIsStale() {
    parties.removeAll { $0 == .gone }
    parties.sort { $0.hashValue < $1.hashValue }
    rescues = rescues.filter { $0 == newest }
    if rescues.count > 2 { rescues.removeLast() }
    if let stale = usualDrains.filter({ $0 < newest }).max() { usualDrains.removeAll { $0 < stale } }
  }

  private mutating func begin(_ number: UInt64, isRescue: Bool) {
    if isRescue {
      rescues.remove(at: rescues.firstIndex(of: number) ?? 0)
    } else {
      usualDrains.removeAll { $0 == number }
    }
    if let drain = schedule.drainArrived(number, isRescue: isRescue) {
      parties.append(.drains(DrainingThread(drain)))
    }
  }

  private mutating func look() {
    looks -= 1
    perform(schedule.lookArrived())
  }

  /// Performs what the schedule has said.
  mutating func perform(_ step: DrainSchedule.Step) {
    if step.looksLater { looks += 1 }
    guard let drain = step.drain else { return }
    newest = max(newest, drain)
    if step.isRescue { rescues.append(drain) } else { usualDrains.append(drain) }
  }

  /// Puts a letter in the mailbox.
  private mutating func post(_ letter: Letter) {
    mail.append(letter)
    tickets += 1
    if letter == .answer { answerTicket = tickets }
    perform(schedule.mailArrived())
  }

  private mutating func move(_ party: Party) -> Party {
    switch party {
    case .posts(let letters):
      guard let letter = letters.first else { return .gone }
      post(letter)
      return letters.count == 1 ? .gone : .posts(Array(letters.dropFirst()))
    case .enters:
      lookForWaiter()
      return run == .live ? .answers : .returns
    case .answers:
      post(.answer)
      return .awaitsAnswer
    case .awaitsAnswer: return .returns
    case .returns:
      returns.append(answerTicket)
      if schedule.isIdle { return .concludes }
      perform(schedule.mailArrived())
      return .gone
    case .concludes:
      concludeReturns()
      lookForWaiter()
      return .gone
    case .claims:
      let drain = schedule.callerArrived()
      if let claim = drain.claim { newest = claim }
      return .postsWithClaim(drain)
    case .postsWithClaim(let drain):
      post(.plain)
      return .readsTicket(drain)
    case .readsTicket(let drain): return .drains(DrainingThread(drain, until: tickets))
    case .settles:
      waiter = .waiting
      lookForWaiter()
      return .gone
    case .serves:
      isServerOnItsWay = false
      return isInLine ? .takesNext(isAfterUpdate: false) : .gone
    case .takesNext(let isAfterUpdate): return takeNext(isAfterUpdate)
    case .updates: return .takesNext(isAfterUpdate: true)
    case .tells(let updatesNext):
      lookForWaiter()
      return updatesNext ? .updates : .gone
    case .drains(let thread): return move(thread)
    case .gone: return .gone
    }
  }

  /// Ends an update, and begins the next one.
  private mutating func takeNext(_ isAfterUpdate: Bool) -> Party {
    guard var conflation = component else { return .gone }
    if isAfterUpdate, conflation.updateEnded() { isInLine = true }
    let tells = isAfterUpdate && waiter == .waiting && !conflation.isActive
    var updatesNext = false
    if isInLine {
      isInLine = false
      updatesNext = conflation.taken()
    }
    component = conflation
    if tells { return .tells(updatesNext: updatesNext) }
    return updatesNext ? .updates : .gone
  }

  /// Resumes the task that waits for the store to settle, if it has. The turn lock must be held.
  ///
  /// - Returns: whether it is resumed.
  @discardableResult
  mutating func lookForWaiter() -> Bool {
    let isSettled =
      !isDisplayDue && tickets <= turnsMade && run != .live && run != .stopped && component?.isActive != true
    guard waiter == .waiting, isSettled else { return false }
    waiter = .resumed
    return true
  }
}
