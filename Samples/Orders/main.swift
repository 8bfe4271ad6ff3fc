import Foundation

do {
  let invocation = try Invocation(Array(CommandLine.arguments.dropFirst()))
  if invocation.isTrial {
    let isGood = try await Trial(invocation).run()
    exit(isGood ? 0 : 1)
  }
  if invocation.command == .work { exit(KeptOrders(invocation).run()) }
  try await Program(invocation: invocation).run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(2)
}
