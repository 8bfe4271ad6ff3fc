/// The smallest possible state, for measuring the runtime alone.
struct Counting: Equatable, Sendable {
  var count = 0

  enum Action: Sendable { case increment }

  @inline(never)
  static func reduce(_ state: inout Counting, _ action: Action) {
    switch action {
    case .increment: state.count += 1
    }
  }
}
