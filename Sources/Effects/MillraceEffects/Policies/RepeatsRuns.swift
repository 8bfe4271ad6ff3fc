import Millrace

extension FallbackEffect: RepeatsRuns {}
extension HedgedEffect: RepeatsRuns {}
extension PolledEffect: RepeatsRuns {}
extension RetriedEffect: RepeatsRuns {}
extension SupervisedEffect: RepeatsRuns {}
