/// The source of the sample's facts, in place of a service.
enum Divisors {
  static func fact(about number: Int) async -> String {
    if number < 2 { return "\(number) is neither prime nor composite" }
    let divisors = (1..<number).filter(number.isMultiple)
    if divisors == [1] { return "\(number) is prime" }
    if divisors.reduce(0, +) == number { return "\(number) is perfect" }
    return "\(number) has \(divisors.count + 1) divisors"
  }
}
