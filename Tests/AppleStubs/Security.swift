// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Each declaration has the page that it is from instead.

// The part of Security that the library uses. The pages are those of https://developer.apple.com/documentation.

public typealias OSStatus = Int32

// corefoundation/cfstring, cfdata, cfarray, cfdictionary, cferror and cfallocator
public final class CFString: Hashable, Sendable {
  public static func == (left: CFString, right: CFString) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public init() {}
}
public final class CFData {}
public final class CFArray {}
public final class CFDictionary {}
public final class CFError {}
public final class CFAllocator {}

// MARK: Certificates

// security/seccertificate, secidentity and sectrust, which aren't Sendable here because their pages don't say so.
public final class SecCertificate {}
public final class SecIdentity {}
public final class SecTrust {}

// security/secidentitygettypeid()
public func SecIdentityGetTypeID() -> UInt { fatalError() }
// security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { fatalError() }
// security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
// security/sectrustsetanchorcertificates(_:_:)
@discardableResult public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus { fatalError() }
// security/sectrustsetanchorcertificatesonly(_:_:)
@discardableResult public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus { fatalError() }
// security/sectrustevaluatewitherror(_:_:)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  fatalError()
}
// security/sectrustcopycertificatechain(_:)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { fatalError() }
// security/secpkcs12import(_:_:_:)
public func SecPKCS12Import(
  _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { fatalError() }
// security/ksecimportexportpassphrase, ksecimportitemidentity and ksecimportitemcertchain
public let kSecImportExportPassphrase = CFString()
public let kSecImportItemIdentity = CFString()
public let kSecImportItemCertChain = CFString()

// MARK: Keychain

// security/secitemcopymatching(_:_:)
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
  fatalError()
}
// security/secitemadd(_:_:)
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
  fatalError()
}
// security/secitemupdate(_:_:)
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { fatalError() }
// security/secitemdelete(_:)
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { fatalError() }
// security/seccopyerrormessagestring(_:_:)
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
  fatalError()
}
// security/errsecsuccess, errsecduplicateitem, errsecitemnotfound
public let errSecSuccess: OSStatus = 0
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
// security/item_class_keys_and_values, item_attribute_keys_and_values, item_search_matching_keys_and_values and
// item_return_result_keys
public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessGroup = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecMatchLimit = CFString()
public let kSecMatchLimitOne = CFString()
public let kSecReturnData = CFString()
public let kSecUseDataProtectionKeychain = CFString()
public let kSecValueData = CFString()
