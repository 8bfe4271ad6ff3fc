import Millrace

/// A run of an effect whose actions are translated.
private struct MappedCourse<Base: EffectComponent, Action: Sendable>: RunCourse {
  var course: any RunCourse
  let transform: @Sendable (Base.Action) -> Action

  var phase: [AnyHashable] { course.phase }
  var isServed: Bool { course.isServed }
  var entry: Entry? { course.entry }
  var inside: [Entry] { course.inside }

  var dues: [DueAct] {
    course.dues.map { DueAct(after: $0.wait, translated($0.kind)) }
  }

  private func translated(_ kind: DueAct.Kind) -> DueAct.Kind {
    switch kind {
    case .begins, .fails: kind
    case .sends(let actions): .sends(translated(actions))
    case .answers(let actions): .answers(translated(actions))
    case .repeats(let actions, let failure): .repeats(translated(actions), after: failure)
    }
  }

  private func translated(_ actions: [any Sendable]) -> [any Sendable] {
    actions.compactMap { ($0 as? Base.Action).map(transform) }
  }

  mutating func elapse(_ time: Duration) { course.elapse(time) }
  mutating func act(_ index: Int) { course.act(index) }
  mutating func enter() { course.enter() }
  mutating func refuse(_ wait: Duration?) { course.refuse(wait) }
  mutating func takeExits() -> [Exit] { course.takeExits() }
  mutating func sends() { course.sends() }
  mutating func end(by failure: (any Error)?) -> DueAct.Kind? { course.end(by: failure).map(translated) }
  mutating func handOver(_ request: any Hashable & Sendable) { course.handOver(request) }
}

extension MappedEffect: TimedEffect {
  package func course(of request: Base.Request) -> (any RunCourse)? {
    (base as? any TimedEffect)?.erasedCourse(of: request)
      .map { MappedCourse<Base, Action>(course: $0, transform: transform) }
  }
}
