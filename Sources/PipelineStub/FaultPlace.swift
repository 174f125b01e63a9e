/// Which request a ``StubFault`` spoils: the first one that fits.
enum FaultPlace: Hashable {
    /// The one that is received as the first, the second and so on, from 1 on.
    case number(Int)
    /// The one that this route answers, whenever it comes.
    case route(name: String)
}

extension [FaultPlace: StubFault] {
    /// The faults of requests that are told by their numbers.
    static func numbered(_ faults: [Int: StubFault]) -> Self {
        Self(uniqueKeysWithValues: faults.map { (.number($0), $1) })
    }
}
