extension Booking {
  /// The wanted modal screen, if there is one.
  var question: Screen? { navigation.wanted.top.flatMap { $0.screen.isModal ? $0.screen : nil } }

  /// The screens below the question.
  var place: [Screen] { navigation.wanted.screens.filter { !$0.isModal } }

  /// Goes to a place, or shows the question that must be answered first.
  mutating func go(to screens: [Screen]) {
    destination = screens
    proceed()
  }

  /// Goes to the destination. If a question must be answered first, shows it above the screens instead; called again
  /// after the answer.
  mutating func proceed() {
    guard let destination else { return }
    if user == nil, destination.contains(where: \.needsUser) {
      ask(.signIn)
    } else if let trip = tripLeft(for: destination) {
      ask(.discard(trip))
    } else {
      navigation.show(destination)
      self.destination = nil
    }
  }

  /// Withdraws the question and the destination.
  mutating func stay() {
    navigation.show(place)
    destination = nil
  }

  /// Goes back by one screen, or by one step of the wizard.
  mutating func back() {
    guard question == nil, let top = navigation.wanted.top else { return stay() }
    if case .book(let trip, let step) = top.screen, let previous = step.previous {
      navigation.change(top.id, to: .book(trip, previous))
    } else if place.count > 1 {
      go(to: place.dropLast())
    } else {
      message = "there is nothing behind"
    }
  }

  private mutating func ask(_ question: Screen) { navigation.show(place + [question]) }

  /// The trip whose wizard would be left with a draft.
  private func tripLeft(for destination: [Screen]) -> Int? {
    guard let trip = place.last?.bookedTrip, drafts[trip] != nil else { return nil }
    return destination.contains { $0.bookedTrip == trip } ? nil : trip
  }
}
