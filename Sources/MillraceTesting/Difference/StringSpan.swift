/// The part in which one string differs from another, in characters: between their common beginning and end.
struct StringSpan: Equatable {
  var start: Int
  var count: Int

  init(differingIn text: String, from other: String) {
    let (own, others) = (Array(text), Array(other))
    let shorter = min(own.count, others.count)
    start = (0..<shorter).first { own[$0] != others[$0] } ?? shorter
    var end = 0
    while end < shorter - start, own[own.count - 1 - end] == others[others.count - 1 - end] { end += 1 }
    count = own.count - start - end
  }
}
