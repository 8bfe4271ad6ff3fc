// swift-tools-version: 6.3
import PackageDescription

// Warnings are errors where `.ci/run` builds, never in the build of a package that depends on this one.
let warnings: [SwiftSetting] =
  Context.environment["MILLRACE_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []
let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + warnings

// Each has its transcript beside its source.
let caseFolders = [
  "AdaptivePolling", "AgentLoop", "BreakerPerHost", "Cache", "DailyReport", "Download", "FolderWatch",
  "Leader", "LongConnection", "ManyWindows", "OfflineQueue", "OptimisticUpdate", "Pagination",
  "ParallelWithLimit", "PaymentOverCrash", "Quota", "RetryAndGiveUp", "SearchAsYouType", "SharedRefresh",
  "SupervisedChild", "TripSaga", "UndoWithLookup", "Validation", "WholeDeadline", "Wizard",
]

let package = Package(
  name: "millrace",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Millrace", targets: ["Millrace"]),
    .library(name: "MillraceEffects", targets: ["MillraceEffects"]),
    .library(name: "MillraceExplorer", targets: ["MillraceExplorer"]),
    .library(name: "MillraceFaults", targets: ["MillraceFaults"]),
    .library(name: "MillraceHTTP", targets: ["MillraceHTTP"]),
    .library(name: "MillraceStorage", targets: ["MillraceStorage"]),
    .library(name: "MillraceSystem", targets: ["MillraceSystem"]),
    .library(name: "MillraceTesting", targets: ["MillraceTesting"]),
    .library(name: "MillraceTestStore", targets: ["MillraceTestStore"]),
    .library(name: "MillraceTrace", targets: ["MillraceTrace"]),
    .executable(name: "millrace", targets: ["MillraceCommand"]),
    .executable(name: "linkcheck", targets: ["linkcheck"]),
  ],
  targets: [
    // The core: what one must know to use and to change the runtime. No ring imports one that comes after it.
    .target(name: "MillraceCollections", path: "Sources/Core/MillraceCollections", swiftSettings: settings),
    // Internal: how values are spelled in messages, and how descriptors are read and written.
    .target(name: "MillraceSpelling", path: "Sources/Core/MillraceSpelling", swiftSettings: settings),
    .target(name: "MillraceDescriptors", path: "Sources/Core/MillraceDescriptors", swiftSettings: settings),
    .target(
      name: "Millrace", dependencies: ["MillraceCollections", "MillraceSpelling", "MillraceDescriptors"],
      path: "Sources/Core/Millrace", swiftSettings: settings),
    // Internal: what a store decides, as a value, for tools that execute nothing.
    .target(
      name: "MillraceFeature", dependencies: ["Millrace"], path: "Sources/Core/MillraceFeature",
      swiftSettings: settings),
    .target(
      name: "MillraceTesting",
      dependencies: ["Millrace", "MillraceFeature", "MillraceSpelling", "MillraceDescriptors"],
      path: "Sources/Core/MillraceTesting", swiftSettings: settings),
    // The requests and outcomes that tests have produced; every test store writes them.
    .target(name: "MillraceCoverage", path: "Sources/Core/MillraceCoverage", swiftSettings: settings),
    // Links Testing and XCTest: for test targets alone.
    .target(
      name: "MillraceTestStore",
      dependencies: [
        "Millrace", "MillraceCoverage", "MillraceTesting", "MillraceSpelling", "MillraceDescriptors",
      ],
      path: "Sources/Core/MillraceTestStore", swiftSettings: settings),

    // The effects.
    .target(
      name: "MillraceEffects", dependencies: ["Millrace", "MillraceSpelling"],
      path: "Sources/Effects/MillraceEffects", swiftSettings: settings),
    // The system's libcurl and zlib, loaded at run time; empty on Apple systems.
    .target(
      name: "CMillraceCurl", path: "Sources/Effects/CMillraceCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "MillraceHTTP",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceSpelling", "MillraceDescriptors",
        .target(
          name: "CMillraceCurl", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Effects/MillraceHTTP", swiftSettings: settings),
    .target(
      name: "MillraceStorage",
      dependencies: ["Millrace", "MillraceEffects", "MillraceSpelling", "MillraceDescriptors"],
      path: "Sources/Effects/MillraceStorage", swiftSettings: settings),
    .target(
      name: "MillraceSystem",
      dependencies: ["Millrace", "MillraceEffects", "MillraceSpelling", "MillraceDescriptors"],
      path: "Sources/Effects/MillraceSystem", swiftSettings: settings),

    // The laboratory.
    .target(
      name: "MillraceExplorer",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceFeature", "MillraceTesting", "MillraceSpelling",
        "MillraceDescriptors",
      ],
      path: "Sources/Laboratory/MillraceExplorer", swiftSettings: settings),
    .target(
      name: "MillraceTrace",
      dependencies: ["Millrace", "MillraceFeature", "MillraceSpelling", "MillraceDescriptors"],
      path: "Sources/Laboratory/MillraceTrace", swiftSettings: settings),
    // Internal: sockets on the loopback address, for the command and the demo site.
    .target(name: "MillraceSockets", path: "Sources/Laboratory/MillraceSockets", swiftSettings: settings),
    // The page of `millrace view`.
    .target(name: "CMillracePage", path: "Sources/Laboratory/CMillracePage", exclude: ["Page"]),
    .executableTarget(
      name: "MillraceCommand",
      dependencies: [
        "Millrace", "MillraceCoverage", "MillraceStorage", "MillraceTrace", "MillraceSpelling",
        "MillraceSockets", "CMillracePage",
      ],
      path: "Sources/Laboratory/MillraceCommand", swiftSettings: settings),
    // Links Testing: for test targets alone.
    .target(
      name: "MillraceFaults",
      dependencies: [
        "Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "MillraceTrace",
        "MillraceSpelling",
      ],
      path: "Sources/Laboratory/MillraceFaults", swiftSettings: settings),

    // The samples. Their executables are no products, but for the one that the README has its reader run.
    .executableTarget(
      name: "counter", dependencies: ["Millrace", "MillraceTrace"], path: "Samples/Counter",
      swiftSettings: settings),
    .executableTarget(
      name: "notes", dependencies: ["Millrace", "MillraceEffects", "MillraceTrace"], path: "Samples/Notes",
      swiftSettings: settings),
    .executableTarget(
      name: "timetravel",
      dependencies: [
        "Millrace", "MillraceCollections", "MillraceSystem", "MillraceTesting", "MillraceTrace",
      ],
      path: "Samples/TimeTravel", exclude: ["transcript.txt"], swiftSettings: settings),
    .executableTarget(
      name: "booking",
      dependencies: ["Millrace", "MillraceEffects", "MillraceStorage", "MillraceSystem", "MillraceTesting"],
      path: "Samples/Booking", exclude: ["transcript.txt"], swiftSettings: settings),
    .target(
      name: "DemoSite", dependencies: ["MillraceSockets"], path: "Samples/DemoSite", swiftSettings: settings),
    // The readers of pages and addresses that others wrote.
    .target(
      name: "LinkcheckReaders", dependencies: ["MillraceHTTP"], path: "Samples/Linkcheck/Readers",
      swiftSettings: settings),
    .executableTarget(
      name: "linkcheck",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceHTTP", "MillraceStorage", "MillraceSystem", "MillraceTrace",
        "DemoSite", "LinkcheckReaders",
      ],
      path: "Samples/Linkcheck", exclude: ["Readers"], swiftSettings: settings),
    .executableTarget(
      name: "orders",
      dependencies: ["Millrace", "MillraceEffects", "MillraceStorage", "MillraceTrace"],
      path: "Samples/Orders", swiftSettings: settings),
    .executableTarget(
      name: "cases",
      dependencies: [
        "Millrace", "MillraceCollections", "MillraceEffects", "MillraceStorage", "MillraceSystem",
        "MillraceTesting", "MillraceTrace",
      ],
      path: "Samples/Cases", exclude: caseFolders.map { "\($0)/transcript.txt" }, swiftSettings: settings),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTrace", "LonelyTimer", "RidesBooking",
        "RidesDomain",
      ],
      path: "Samples/Benchmarks", exclude: ["compare"], swiftSettings: settings),

    // The sample app in modules: features that know neither each other nor an app, and two apps made of them.
    .target(name: "RidesDomain", path: "Samples/Rides/RidesDomain", swiftSettings: settings),
    .target(
      name: "RidesProfile", dependencies: ["Millrace", "RidesDomain"], path: "Samples/Rides/RidesProfile",
      swiftSettings: settings),
    .target(
      name: "RidesBooking", dependencies: ["Millrace", "RidesDomain"], path: "Samples/Rides/RidesBooking",
      swiftSettings: settings),
    .target(
      name: "RidesTracking", dependencies: ["Millrace", "RidesDomain"], path: "Samples/Rides/RidesTracking",
      swiftSettings: settings),
    .target(
      name: "RidesPayment", dependencies: ["Millrace", "RidesDomain"], path: "Samples/Rides/RidesPayment",
      swiftSettings: settings),
    .executableTarget(
      name: "rides",
      dependencies: [
        "Millrace", "MillraceTesting", "MillraceTrace", "RidesDomain", "RidesProfile", "RidesBooking",
        "RidesTracking", "RidesPayment",
      ],
      path: "Samples/Rides/App", exclude: ["transcript.txt"], swiftSettings: settings),
    .executableTarget(
      name: "rides-kiosk", dependencies: ["Millrace", "MillraceTrace", "RidesDomain", "RidesBooking"],
      path: "Samples/Rides/Kiosk", swiftSettings: settings),

    // The sample with many instances of one feature.
    .target(
      name: "LonelyTimer", dependencies: ["Millrace"], path: "Samples/ManyTimers/LonelyTimer",
      swiftSettings: settings),
    .executableTarget(
      name: "manytimers", dependencies: ["Millrace", "MillraceTesting", "MillraceTrace", "LonelyTimer"],
      path: "Samples/ManyTimers/App", swiftSettings: settings),

    // The tests.
    .testTarget(
      name: "MillraceTests",
      dependencies: ["Millrace", "MillraceCollections", "MillraceTesting", "TestSupport"],
      path: "Tests/Core/MillraceTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceStressTests", dependencies: ["Millrace", "MillraceTesting", "TestSupport"],
      path: "Tests/Core/MillraceStressTests", swiftSettings: settings),
    // The program that the tests of storage kill.
    .executableTarget(
      name: "storageprobe", dependencies: ["Millrace", "MillraceEffects", "MillraceStorage"],
      path: "Tests/Effects/StorageProbe", swiftSettings: settings),
    .testTarget(
      name: "MillraceCollectionsTests",
      dependencies: ["MillraceCollections", "MillraceTesting", "TestSupport"],
      path: "Tests/Core/MillraceCollectionsTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceEffectsTests",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceHTTP", "MillraceExplorer", "MillraceTesting", "MillraceTrace",
        "TestSupport",
      ],
      path: "Tests/Effects/MillraceEffectsTests", swiftSettings: settings),
    // The program that the tests of uploads kill.
    .executableTarget(
      name: "httpprobe", dependencies: ["Millrace", "MillraceHTTP"], path: "Tests/Effects/HTTPProbe",
      swiftSettings: settings),
    .testTarget(
      name: "MillraceHTTPTests",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceHTTP", "MillraceTesting", "MillraceTestStore",
        "HostileServer", "SampleProgram", "TestSupport", "httpprobe",
        .target(name: "CMillraceCurl", condition: .when(platforms: [.linux])),
      ],
      path: "Tests/Effects/MillraceHTTPTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceStorageTests",
      dependencies: [
        "Millrace", "MillraceDescriptors", "MillraceEffects", "MillraceStorage", "MillraceTesting",
        "SampleProgram", "TestSupport", "storageprobe",
      ],
      path: "Tests/Effects/MillraceStorageTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceSystemTests",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceSystem", "MillraceTesting", "MillraceTestStore",
        "TestSupport",
      ],
      path: "Tests/Effects/MillraceSystemTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceTestingTests", dependencies: ["Millrace", "MillraceTesting", "TestSupport"],
      path: "Tests/Core/MillraceTestingTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceExplorerTests",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceStorage", "MillraceExplorer", "MillraceTesting",
        "MillraceTestStore", "TestSupport",
      ],
      path: "Tests/Laboratory/MillraceExplorerTests", swiftSettings: settings),
    // The program that the tests of recordings kill.
    .executableTarget(
      name: "traceprobe", dependencies: ["Millrace", "MillraceTrace"], path: "Tests/Laboratory/TraceProbe",
      swiftSettings: settings),
    .testTarget(
      name: "MillraceTraceTests",
      dependencies: [
        "Millrace", "MillraceCommand", "MillraceEffects", "MillraceStorage", "MillraceTesting",
        "MillraceTrace",
        "SampleProgram", "TestSupport", "traceprobe",
      ],
      path: "Tests/Laboratory/MillraceTraceTests", exclude: ["JSON/JSONTestSuite.txt"],
      swiftSettings: settings),
    // What .ci/costs counts allocations and instructions of.
    .executableTarget(
      name: "costprobe", dependencies: ["Millrace", "MillraceTrace"], path: "Tests/Laboratory/CostProbe",
      swiftSettings: settings),
    // Tests of XCTest that fail, in a program whose output is read.
    .executableTarget(
      name: "failingtests", dependencies: ["MillraceFaults", "MillraceTestStore"],
      path: "Tests/Laboratory/FailingTests",
      swiftSettings: settings),
    .testTarget(
      name: "MillraceTestStoreTests",
      dependencies: ["Millrace", "MillraceEffects", "MillraceTesting", "MillraceTestStore", "TestSupport"],
      path: "Tests/Core/MillraceTestStoreTests", swiftSettings: settings),
    .testTarget(
      name: "MillraceFaultsTests",
      dependencies: [
        "Millrace", "MillraceCoverage", "MillraceEffects", "MillraceHTTP", "MillraceStorage",
        "MillraceSystem", "MillraceExplorer", "MillraceFaults", "MillraceTesting", "MillraceTestStore",
        "MillraceTrace",
        "SampleProgram", "TestSupport", "failingtests", "MillraceCommand",
      ],
      path: "Tests/Laboratory/MillraceFaultsTests", swiftSettings: settings),
    .testTarget(
      name: "CounterTests",
      dependencies: [
        "counter", "Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "TestSupport",
        "RandomSession",
      ],
      path: "Tests/Samples/CounterTests", swiftSettings: settings),
    .testTarget(
      name: "CasesTests",
      dependencies: [
        "cases", "Millrace", "MillraceEffects", "MillraceStorage", "MillraceSystem", "MillraceExplorer",
        "MillraceTesting",
        "MillraceTestStore", "TestSupport",
      ],
      path: "Tests/Samples/CasesTests", swiftSettings: settings),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "notes", "Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "MillraceTrace",
        "TestSupport",
        "RandomSession",
      ],
      path: "Tests/Samples/NotesTests", exclude: ["Recordings"],
      swiftSettings: settings),
    .testTarget(
      name: "TimeTravelTests",
      dependencies: [
        "timetravel", "Millrace", "MillraceCollections", "MillraceSystem", "MillraceExplorer",
        "MillraceTesting",
        "MillraceTestStore", "MillraceTrace", "TestSupport", "RandomSession",
      ],
      path: "Tests/Samples/TimeTravelTests", exclude: ["Recordings"],
      swiftSettings: settings),
    .testTarget(
      name: "BookingTests",
      dependencies: [
        "booking", "SampleProgram", "Millrace", "MillraceEffects", "MillraceStorage", "MillraceSystem",
        "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "TestSupport",
      ],
      path: "Tests/Samples/BookingTests", swiftSettings: settings),
    .testTarget(
      name: "OrdersTests",
      dependencies: [
        "orders", "SampleProgram", "Millrace", "MillraceExplorer", "MillraceStorage", "MillraceTestStore",
        "TestSupport",
        "RandomSession",
      ],
      path: "Tests/Samples/OrdersTests", swiftSettings: settings),
    .testTarget(
      name: "LinkcheckTests",
      dependencies: [
        "linkcheck", "LinkcheckReaders", "DemoSite", "MillraceSockets", "Millrace", "MillraceEffects",
        "MillraceHTTP",
        "MillraceStorage", "MillraceSystem", "MillraceExplorer", "MillraceTesting", "MillraceTestStore",
        "HostileServer", "TestSupport",
      ],
      path: "Tests/Samples/LinkcheckTests", swiftSettings: settings),
    // Shared by the tests of sample programs.
    .target(
      name: "SampleProgram", dependencies: ["TestSupport"], path: "Tests/Core/SampleProgram",
      swiftSettings: settings),
    // Long random sessions of what an explorer lists, recorded and shrunk.
    .target(
      name: "RandomSession",
      dependencies: [
        "Millrace", "MillraceExplorer", "MillraceFaults", "MillraceTesting", "MillraceTestStore",
        "MillraceTrace",
      ],
      path: "Tests/Laboratory/RandomSession", swiftSettings: settings),
    // A server whose every byte a test decides, and the ways in which it misbehaves.
    .target(
      name: "HostileServer", dependencies: ["Millrace", "TestSupport"], path: "Tests/Effects/HostileServer",
      swiftSettings: settings),
    // Shared by the tests of several modules.
    .target(
      name: "TestSupport", dependencies: ["Millrace"], path: "Tests/Core/TestSupport", swiftSettings: settings
    ),

    // Tests of one feature each: they know no app.
    .testTarget(
      name: "RidesProfileTests",
      dependencies: ["RidesProfile", "RidesDomain", "Millrace", "MillraceTesting", "MillraceTestStore"],
      path: "Tests/Samples/RidesTests/Profile", swiftSettings: settings),
    .testTarget(
      name: "RidesBookingTests",
      dependencies: ["RidesBooking", "RidesDomain", "Millrace", "MillraceTesting", "MillraceTestStore"],
      path: "Tests/Samples/RidesTests/Booking", swiftSettings: settings),
    .testTarget(
      name: "RidesTrackingTests",
      dependencies: ["RidesTracking", "RidesDomain", "Millrace", "MillraceTesting", "MillraceTestStore"],
      path: "Tests/Samples/RidesTests/Tracking", swiftSettings: settings),
    .testTarget(
      name: "RidesPaymentTests",
      dependencies: ["RidesPayment", "RidesDomain", "Millrace", "MillraceTesting", "MillraceTestStore"],
      path: "Tests/Samples/RidesTests/Payment", swiftSettings: settings),
    .testTarget(
      name: "RidesTests",
      dependencies: [
        "rides", "rides-kiosk", "SampleProgram", "Millrace", "MillraceExplorer", "MillraceTesting",
        "MillraceTestStore",
        "TestSupport", "RandomSession",
      ],
      path: "Tests/Samples/RidesTests/App", swiftSettings: settings),
    .testTarget(
      name: "RidesKioskTests",
      dependencies: [
        "rides-kiosk", "Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "TestSupport",
      ],
      path: "Tests/Samples/RidesTests/Kiosk", swiftSettings: settings),
    .testTarget(
      name: "LonelyTimerTests",
      dependencies: ["LonelyTimer", "Millrace", "MillraceTesting", "MillraceTestStore"],
      path: "Tests/Samples/ManyTimersTests/LonelyTimer", swiftSettings: settings),
    .testTarget(
      name: "ManyTimersTests",
      dependencies: [
        "manytimers", "LonelyTimer", "SampleProgram", "Millrace", "MillraceExplorer", "MillraceTesting",
        "MillraceTestStore", "TestSupport",
      ],
      path: "Tests/Samples/ManyTimersTests/App", swiftSettings: settings),
    // A module with the settings of new projects of Xcode.
    .testTarget(
      name: "IsolatedTests",
      dependencies: ["Millrace", "MillraceExplorer", "MillraceTesting", "MillraceTestStore", "TestSupport"],
      path: "Tests/Laboratory/IsolatedTests",
      swiftSettings: settings + [
        .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    // Files of each version, opened by all later ones.
    .testTarget(
      name: "KeptFilesTests",
      dependencies: [
        "Millrace", "MillraceCollections", "MillraceEffects", "MillraceStorage", "MillraceTesting",
        "MillraceTestStore", "MillraceTrace", "TestSupport",
      ],
      path: "Tests/Laboratory/KeptFilesTests", exclude: ["Files"], swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Millrace", "MillraceEffects", "MillraceHTTP", "MillraceStorage", "MillraceSystem",
        "MillraceExplorer", "MillraceFaults", "MillraceTesting",
        "MillraceTestStore", "MillraceTrace", "TestSupport",
      ],
      path: "Tests/Laboratory/DocumentationTests", swiftSettings: settings),
  ]
)

// The fuzz targets, which `.ci/fuzz` links: a fuzzer brings its own `main`.
if Context.environment["MILLRACE_FUZZ"] != nil {
  let fuzzed = ["MillraceHTTP", "MillraceStorage", "MillraceTrace", "LinkcheckReaders", "RespReader"]
  package.targets += [
    .target(
      name: "RespReader", path: "Samples/Orders/Engine", sources: ["RespReader.swift"],
      swiftSettings: settings),
    .target(
      name: "FuzzTargets", dependencies: fuzzed.map { .byName(name: $0) }, path: "Tests/Laboratory/Fuzz",
      exclude: ["Corpora"], swiftSettings: settings),
  ]
  package.products.append(.library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]))
  for target in package.targets where fuzzed.contains(target.name) {
    target.swiftSettings = settings + [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])]
  }
}

// MILLRACE_TESTS="A B" leaves the test targets A and B, and what these need: a sanitizer's build takes a third as long, and
// Xcode, which builds all targets for the system of its destination, can build for iOS, where no process is started.
if let tests = Context.environment["MILLRACE_TESTS"] {
  var wanted = tests.split(separator: " ").map(String.init)
  var kept: Set<String> = []
  while let name = wanted.popLast() {
    guard kept.insert(name).inserted else { continue }
    guard let target = package.targets.first(where: { $0.name == name }) else {
      preconditionFailure("MILLRACE_TESTS: the package has no target \(name)")
    }
    wanted += target.dependencies.map { dependency in
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _): name
      @unknown default: preconditionFailure("MILLRACE_TESTS: a dependency of \(name) is of an unknown kind")
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
    return !kept.isSuperset(of: targets)
  }
}
