import Millrace
import MillraceEffects

/// Any composition of policies, around whatever effect.
struct ErasedEffect: EffectComponent {
  let replacement: RequestReplacement
  private let identify: @Sendable (Int) -> Int
  private let begin: @Sendable (Int) -> (any RunCourse)?
  private let serve: @Sendable (RequestUpdates<Int>, Send<Mark>) async throws(RandomWork.Failed) -> Void

  init<Effect: EffectComponent>(_ effect: Effect)
  where Effect.Request == Int, Effect.Action == Mark, Effect.Failure == RandomWork.Failed, Effect.ID == Int {
    replacement = effect.replacement
    identify = { effect.id(of: $0) }
    begin = { number in (effect as? any TimedEffect)?.erasedCourse(of: number) }
    serve = { numbers, send throws(RandomWork.Failed) in
      if effect.replacement == .handOver {
        try await effect.run(numbers, send: send)
      } else {
        try await effect.run(numbers.first, send: send)
      }
    }
  }

  func id(of number: Int) -> Int { identify(number) }

  func requests(in numbers: Set<Int>) -> Set<Int> { numbers }

  func run(_ number: Int, send: Send<Mark>) async throws(RandomWork.Failed) {
    try await serve(RequestUpdates(number), send)
  }

  func run(_ numbers: RequestUpdates<Int>, send: Send<Mark>) async throws(RandomWork.Failed) {
    try await serve(numbers, send)
  }

  func action(for failure: RandomWork.Failed, of number: Int) -> Mark { .failed(number) }
}

extension ErasedEffect: TimedEffect {
  func course(of number: Int) -> (any RunCourse)? { begin(number) }
}
