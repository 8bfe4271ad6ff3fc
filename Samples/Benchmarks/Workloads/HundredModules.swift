/// An app of a hundred modules, composed as one would by hand: a field, a case and a line of
/// the `switch` for each.
struct HundredModules: Sendable {
  var m00, m01, m02, m03, m04, m05, m06, m07, m08, m09: Counting
  var m10, m11, m12, m13, m14, m15, m16, m17, m18, m19: Counting
  var m20, m21, m22, m23, m24, m25, m26, m27, m28, m29: Counting
  var m30, m31, m32, m33, m34, m35, m36, m37, m38, m39: Counting
  var m40, m41, m42, m43, m44, m45, m46, m47, m48, m49: Counting
  var m50, m51, m52, m53, m54, m55, m56, m57, m58, m59: Counting
  var m60, m61, m62, m63, m64, m65, m66, m67, m68, m69: Counting
  var m70, m71, m72, m73, m74, m75, m76, m77, m78, m79: Counting
  var m80, m81, m82, m83, m84, m85, m86, m87, m88, m89: Counting
  var m90, m91, m92, m93, m94, m95, m96, m97, m98, m99: Counting

  init() {
    (m00, m01, m02, m03, m04) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m05, m06, m07, m08, m09) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m10, m11, m12, m13, m14) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m15, m16, m17, m18, m19) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m20, m21, m22, m23, m24) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m25, m26, m27, m28, m29) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m30, m31, m32, m33, m34) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m35, m36, m37, m38, m39) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m40, m41, m42, m43, m44) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m45, m46, m47, m48, m49) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m50, m51, m52, m53, m54) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m55, m56, m57, m58, m59) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m60, m61, m62, m63, m64) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m65, m66, m67, m68, m69) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m70, m71, m72, m73, m74) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m75, m76, m77, m78, m79) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m80, m81, m82, m83, m84) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m85, m86, m87, m88, m89) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m90, m91, m92, m93, m94) = (Counting(), Counting(), Counting(), Counting(), Counting())
    (m95, m96, m97, m98, m99) = (Counting(), Counting(), Counting(), Counting(), Counting())
  }

  enum Action: Sendable {
    case m00(Counting.Action)
    case m01(Counting.Action)
    case m02(Counting.Action)
    case m03(Counting.Action)
    case m04(Counting.Action)
    case m05(Counting.Action)
    case m06(Counting.Action)
    case m07(Counting.Action)
    case m08(Counting.Action)
    case m09(Counting.Action)
    case m10(Counting.Action)
    case m11(Counting.Action)
    case m12(Counting.Action)
    case m13(Counting.Action)
    case m14(Counting.Action)
    case m15(Counting.Action)
    case m16(Counting.Action)
    case m17(Counting.Action)
    case m18(Counting.Action)
    case m19(Counting.Action)
    case m20(Counting.Action)
    case m21(Counting.Action)
    case m22(Counting.Action)
    case m23(Counting.Action)
    case m24(Counting.Action)
    case m25(Counting.Action)
    case m26(Counting.Action)
    case m27(Counting.Action)
    case m28(Counting.Action)
    case m29(Counting.Action)
    case m30(Counting.Action)
    case m31(Counting.Action)
    case m32(Counting.Action)
    case m33(Counting.Action)
    case m34(Counting.Action)
    case m35(Counting.Action)
    case m36(Counting.Action)
    case m37(Counting.Action)
    case m38(Counting.Action)
    case m39(Counting.Action)
    case m40(Counting.Action)
    case m41(Counting.Action)
    case m42(Counting.Action)
    case m43(Counting.Action)
    case m44(Counting.Action)
    case m45(Counting.Action)
    case m46(Counting.Action)
    case m47(Counting.Action)
    case m48(Counting.Action)
    case m49(Counting.Action)
    case m50(Counting.Action)
    case m51(Counting.Action)
    case m52(Counting.Action)
    case m53(Counting.Action)
    case m54(Counting.Action)
    case m55(Counting.Action)
    case m56(Counting.Action)
    case m57(Counting.Action)
    case m58(Counting.Action)
    case m59(Counting.Action)
    case m60(Counting.Action)
    case m61(Counting.Action)
    case m62(Counting.Action)
    case m63(Counting.Action)
    case m64(Counting.Action)
    case m65(Counting.Action)
    case m66(Counting.Action)
    case m67(Counting.Action)
    case m68(Counting.Action)
    case m69(Counting.Action)
    case m70(Counting.Action)
    case m71(Counting.Action)
    case m72(Counting.Action)
    case m73(Counting.Action)
    case m74(Counting.Action)
    case m75(Counting.Action)
    case m76(Counting.Action)
    case m77(Counting.Action)
    case m78(Counting.Action)
    case m79(Counting.Action)
    case m80(Counting.Action)
    case m81(Counting.Action)
    case m82(Counting.Action)
    case m83(Counting.Action)
    case m84(Counting.Action)
    case m85(Counting.Action)
    case m86(Counting.Action)
    case m87(Counting.Action)
    case m88(Counting.Action)
    case m89(Counting.Action)
    case m90(Counting.Action)
    case m91(Counting.Action)
    case m92(Counting.Action)
    case m93(Counting.Action)
    case m94(Counting.Action)
    case m95(Counting.Action)
    case m96(Counting.Action)
    case m97(Counting.Action)
    case m98(Counting.Action)
    case m99(Counting.Action)
  }

  static func reduce(_ state: inout Self, _ action: Action) {
    switch action {
    case .m00(let action): Counting.reduce(&state.m00, action)
    case .m01(let action): Counting.reduce(&state.m01, action)
    case .m02(let action): Counting.reduce(&state.m02, action)
    case .m03(let action): Counting.reduce(&state.m03, action)
    case .m04(let action): Counting.reduce(&state.m04, action)
    case .m05(let action): Counting.reduce(&state.m05, action)
    case .m06(let action): Counting.reduce(&state.m06, action)
    case .m07(let action): Counting.reduce(&state.m07, action)
    case .m08(let action): Counting.reduce(&state.m08, action)
    case .m09(let action): Counting.reduce(&state.m09, action)
    case .m10(let action): Counting.reduce(&state.m10, action)
    case .m11(let action): Counting.reduce(&state.m11, action)
    case .m12(let action): Counting.reduce(&state.m12, action)
    case .m13(let action): Counting.reduce(&state.m13, action)
    case .m14(let action): Counting.reduce(&state.m14, action)
    case .m15(let action): Counting.reduce(&state.m15, action)
    case .m16(let action): Counting.reduce(&state.m16, action)
    case .m17(let action): Counting.reduce(&state.m17, action)
    case .m18(let action): Counting.reduce(&state.m18, action)
    case .m19(let action): Counting.reduce(&state.m19, action)
    case .m20(let action): Counting.reduce(&state.m20, action)
    case .m21(let action): Counting.reduce(&state.m21, action)
    case .m22(let action): Counting.reduce(&state.m22, action)
    case .m23(let action): Counting.reduce(&state.m23, action)
    case .m24(let action): Counting.reduce(&state.m24, action)
    case .m25(let action): Counting.reduce(&state.m25, action)
    case .m26(let action): Counting.reduce(&state.m26, action)
    case .m27(let action): Counting.reduce(&state.m27, action)
    case .m28(let action): Counting.reduce(&state.m28, action)
    case .m29(let action): Counting.reduce(&state.m29, action)
    case .m30(let action): Counting.reduce(&state.m30, action)
    case .m31(let action): Counting.reduce(&state.m31, action)
    case .m32(let action): Counting.reduce(&state.m32, action)
    case .m33(let action): Counting.reduce(&state.m33, action)
    case .m34(let action): Counting.reduce(&state.m34, action)
    case .m35(let action): Counting.reduce(&state.m35, action)
    case .m36(let action): Counting.reduce(&state.m36, action)
    case .m37(let action): Counting.reduce(&state.m37, action)
    case .m38(let action): Counting.reduce(&state.m38, action)
    case .m39(let action): Counting.reduce(&state.m39, action)
    case .m40(let action): Counting.reduce(&state.m40, action)
    case .m41(let action): Counting.reduce(&state.m41, action)
    case .m42(let action): Counting.reduce(&state.m42, action)
    case .m43(let action): Counting.reduce(&state.m43, action)
    case .m44(let action): Counting.reduce(&state.m44, action)
    case .m45(let action): Counting.reduce(&state.m45, action)
    case .m46(let action): Counting.reduce(&state.m46, action)
    case .m47(let action): Counting.reduce(&state.m47, action)
    case .m48(let action): Counting.reduce(&state.m48, action)
    case .m49(let action): Counting.reduce(&state.m49, action)
    case .m50(let action): Counting.reduce(&state.m50, action)
    case .m51(let action): Counting.reduce(&state.m51, action)
    case .m52(let action): Counting.reduce(&state.m52, action)
    case .m53(let action): Counting.reduce(&state.m53, action)
    case .m54(let action): Counting.reduce(&state.m54, action)
    case .m55(let action): Counting.reduce(&state.m55, action)
    case .m56(let action): Counting.reduce(&state.m56, action)
    case .m57(let action): Counting.reduce(&state.m57, action)
    case .m58(let action): Counting.reduce(&state.m58, action)
    case .m59(let action): Counting.reduce(&state.m59, action)
    case .m60(let action): Counting.reduce(&state.m60, action)
    case .m61(let action): Counting.reduce(&state.m61, action)
    case .m62(let action): Counting.reduce(&state.m62, action)
    case .m63(let action): Counting.reduce(&state.m63, action)
    case .m64(let action): Counting.reduce(&state.m64, action)
    case .m65(let action): Counting.reduce(&state.m65, action)
    case .m66(let action): Counting.reduce(&state.m66, action)
    case .m67(let action): Counting.reduce(&state.m67, action)
    case .m68(let action): Counting.reduce(&state.m68, action)
    case .m69(let action): Counting.reduce(&state.m69, action)
    case .m70(let action): Counting.reduce(&state.m70, action)
    case .m71(let action): Counting.reduce(&state.m71, action)
    case .m72(let action): Counting.reduce(&state.m72, action)
    case .m73(let action): Counting.reduce(&state.m73, action)
    case .m74(let action): Counting.reduce(&state.m74, action)
    case .m75(let action): Counting.reduce(&state.m75, action)
    case .m76(let action): Counting.reduce(&state.m76, action)
    case .m77(let action): Counting.reduce(&state.m77, action)
    case .m78(let action): Counting.reduce(&state.m78, action)
    case .m79(let action): Counting.reduce(&state.m79, action)
    case .m80(let action): Counting.reduce(&state.m80, action)
    case .m81(let action): Counting.reduce(&state.m81, action)
    case .m82(let action): Counting.reduce(&state.m82, action)
    case .m83(let action): Counting.reduce(&state.m83, action)
    case .m84(let action): Counting.reduce(&state.m84, action)
    case .m85(let action): Counting.reduce(&state.m85, action)
    case .m86(let action): Counting.reduce(&state.m86, action)
    case .m87(let action): Counting.reduce(&state.m87, action)
    case .m88(let action): Counting.reduce(&state.m88, action)
    case .m89(let action): Counting.reduce(&state.m89, action)
    case .m90(let action): Counting.reduce(&state.m90, action)
    case .m91(let action): Counting.reduce(&state.m91, action)
    case .m92(let action): Counting.reduce(&state.m92, action)
    case .m93(let action): Counting.reduce(&state.m93, action)
    case .m94(let action): Counting.reduce(&state.m94, action)
    case .m95(let action): Counting.reduce(&state.m95, action)
    case .m96(let action): Counting.reduce(&state.m96, action)
    case .m97(let action): Counting.reduce(&state.m97, action)
    case .m98(let action): Counting.reduce(&state.m98, action)
    case .m99(let action): Counting.reduce(&state.m99, action)
    }
  }

  /// An action for each module.
  static let actions: [Action] = [
    .m00(.increment), .m01(.increment), .m02(.increment), .m03(.increment), .m04(.increment),
    .m05(.increment), .m06(.increment), .m07(.increment), .m08(.increment), .m09(.increment),
    .m10(.increment), .m11(.increment), .m12(.increment), .m13(.increment), .m14(.increment),
    .m15(.increment), .m16(.increment), .m17(.increment), .m18(.increment), .m19(.increment),
    .m20(.increment), .m21(.increment), .m22(.increment), .m23(.increment), .m24(.increment),
    .m25(.increment), .m26(.increment), .m27(.increment), .m28(.increment), .m29(.increment),
    .m30(.increment), .m31(.increment), .m32(.increment), .m33(.increment), .m34(.increment),
    .m35(.increment), .m36(.increment), .m37(.increment), .m38(.increment), .m39(.increment),
    .m40(.increment), .m41(.increment), .m42(.increment), .m43(.increment), .m44(.increment),
    .m45(.increment), .m46(.increment), .m47(.increment), .m48(.increment), .m49(.increment),
    .m50(.increment), .m51(.increment), .m52(.increment), .m53(.increment), .m54(.increment),
    .m55(.increment), .m56(.increment), .m57(.increment), .m58(.increment), .m59(.increment),
    .m60(.increment), .m61(.increment), .m62(.increment), .m63(.increment), .m64(.increment),
    .m65(.increment), .m66(.increment), .m67(.increment), .m68(.increment), .m69(.increment),
    .m70(.increment), .m71(.increment), .m72(.increment), .m73(.increment), .m74(.increment),
    .m75(.increment), .m76(.increment), .m77(.increment), .m78(.increment), .m79(.increment),
    .m80(.increment), .m81(.increment), .m82(.increment), .m83(.increment), .m84(.increment),
    .m85(.increment), .m86(.increment), .m87(.increment), .m88(.increment), .m89(.increment),
    .m90(.increment), .m91(.increment), .m92(.increment), .m93(.increment), .m94(.increment),
    .m95(.increment), .m96(.increment), .m97(.increment), .m98(.increment), .m99(.increment),
  ]

  /// The sum of all modules' counts.
  var total: Int {
    withUnsafeBytes(of: self) { $0.bindMemory(to: Int.self).reduce(0, +) }
  }
}
