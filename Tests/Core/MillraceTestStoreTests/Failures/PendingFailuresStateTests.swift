import Testing

@testable import MillraceTestStore
