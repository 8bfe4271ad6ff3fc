import MillraceTesting

/// A session without a user: the lines typed, and the moments at which the shop answers. No time passes in it.
struct Script: Sendable {
  enum Step: Equatable, Sendable {
    case type(String)
    /// The shop answers a question of the newest state.
    case answer(Question)
  }

  let steps: [Step]
  /// A gate for each question with an answer, open while its answer is due.
  private let gates: [Question: Gate]
  private let closed = Gate()

  init(_ steps: [Step]) {
    self.steps = steps
    let questions = steps.compactMap { if case .answer(let question) = $0 { question } else { nil } }
    gates = Dictionary(questions.map { ($0, Gate()) }) { first, _ in first }
  }

  /// A shop that answers when the script says so.
  var shop: Shop {
    Shop { [gates, closed] question in try await (gates[question] ?? closed).wait() }
  }

  /// Lets the shop answer this question and no other.
  func answer(_ question: Question?) {
    for (other, gate) in gates where other != question { gate.close() }
    if let question { gates[question]?.open() }
  }
}

extension Script {
  /// Looks back while two prices are looked up, returns, and branches.
  static var demonstration: Script {
    Script([
      .type("add tea"), .type("find te"), .answer(.search("te")), .type("add milk"),
      // Nothing runs, and actions are held.
      .type("<"), .type("<"), .type("add bread"), .type("find br"),
      // The held actions are reduced, and the newest state asks its questions again.
      .type("live"), .answer(.price("tea")), .answer(.search("br")), .answer(.price("milk")),
      .type("to 3"), .type(">"), .type("<"),
      // The list continues from step 3, where tea has no price.
      .type("branch"), .answer(.price("tea")), .type("add jam"), .type("dance"), .answer(.price("jam")),
      .type("quit"),
    ])
  }
}
