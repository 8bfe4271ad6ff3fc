import Foundation

// Lists the cases, or tells the stories of the named ones.
let names = CommandLine.arguments.dropFirst()
if names.isEmpty {
  print("usage: cases NAME…, or cases all\n")
  for story in Case.all { print("  \(story.name)\n      \(story.symptom)") }
}
for name in names {
  let reported = name == "all" ? Case.all : Case.all.filter { $0.name == name }
  if reported.isEmpty {
    FileHandle.standardError.write(Data("there is no case '\(name)'; cases without a name lists them\n".utf8))
    exit(2)
  }
  for story in reported {
    print("\(story.name): \(story.symptom)")
    try await story.tell { print("  \($0)") }
  }
}
