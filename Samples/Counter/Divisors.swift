/// Where the sample's facts come from, in place of a service that would be asked.
enum Divisors {
  static func fact(about number: Int) async -> String {
    if number < 2 { return "\(number) is neither prime nor composite" }
    let divisors = (1..<number).filter(number.isMultiple)
    if divisors == [1] { return "\(number) is prime" }
    if divisors.reduce(0, +) == number { return "\(number) is perfect" }
    return "\(number) has \(divisors.count + 1) divisors"
  }
}
