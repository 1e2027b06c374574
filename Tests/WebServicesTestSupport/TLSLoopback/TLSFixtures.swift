/// Certificates for tests, valid from 2019 to 2119. Apple's systems reject newer certificates with a long lifetime. The
/// private keys are public, so only tests may trust these certificates.
enum TLSFixtures {
  /// The authority that signed all other certificates.
  static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBijCCATCgAwIBAgICEAAwCgYIKoZIzj0EAwIwKzEpMCcGA1UEAwwgRmVhdGhl
    clJFU1RDbGllbnQgdGVzdCBhdXRob3JpdHkwIBcNMTkwMTAxMDAwMDAwWhgPMjEx
    OTAxMDEwMDAwMDBaMCsxKTAnBgNVBAMMIEZlYXRoZXJSRVNUQ2xpZW50IHRlc3Qg
    YXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEGGgb5/nC9jO1gAvV
    3Q48NpSjXX60Kw2E21yO0pwV74cKa+e0x4/lBLGYeuAd8xDAAOofyvLWMR7AMFfC
    pCHCKKNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0O
    BBYEFGUNvPuEhEEgcJtJwiJRyaLPrAv4MAoGCCqGSM49BAMCA0gAMEUCIHsmys+6
    VQBCTB/Ju0x6k8l3MISXVtZ329jMqLctJVASAiEAy8bw4ZB1LuI/p/TuSKBXdnGX
    CekJdxindYFNQOJuufc=
    -----END CERTIFICATE-----
    """

  /// The certificate for localhost, 127.0.0.1 and ::1.
  static let server = """
    -----BEGIN CERTIFICATE-----
    MIIB1jCCAXygAwIBAgICEAEwCgYIKoZIzj0EAwIwKzEpMCcGA1UEAwwgRmVhdGhl
    clJFU1RDbGllbnQgdGVzdCBhdXRob3JpdHkwIBcNMTkwMTAxMDAwMDAwWhgPMjEx
    OTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEG
    CCqGSM49AwEHA0IABCcmkQKrgmfur7ucfM/vwhddSxvnVxbnNoYXmcDMrN252Org
    o7VMIfSND4Uzj8C3oKJ+E1ZRS2N4ugEqwqC82zSjgaQwgaEwDAYDVR0TAQH/BAIw
    ADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEwLAYDVR0RBCUw
    I4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBRp
    RiNU+bA1eAShsWaM1Kjf9uCSHzAfBgNVHSMEGDAWgBRlDbz7hIRBIHCbScIiUcmi
    z6wL+DAKBggqhkjOPQQDAgNIADBFAiAk+DnHdexQCJSgJUghGuNpJR+ZyWauGcRe
    6dYi7M5rzQIhAINL9gNnRd8Ho/OsAKbNYcLaRESlRDrPa8jrgT+QOnDA
    -----END CERTIFICATE-----
    """

  /// A certificate for the same names that expired in 2019.
  static let expired = """
    -----BEGIN CERTIFICATE-----
    MIIB1DCCAXqgAwIBAgICEAIwCgYIKoZIzj0EAwIwKzEpMCcGA1UEAwwgRmVhdGhl
    clJFU1RDbGllbnQgdGVzdCBhdXRob3JpdHkwHhcNMTkwMTAxMDAwMDAwWhcNMTkw
    MjAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggq
    hkjOPQMBBwNCAAQnJpECq4Jn7q+7nHzP78IXXUsb51cW5zaGF5nAzKzdudjq4KO1
    TCH0jQ+FM4/At6CifhNWUUtjeLoBKsKgvNs0o4GkMIGhMAwGA1UdEwEB/wQCMAAw
    DgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMCwGA1UdEQQlMCOC
    CWxvY2FsaG9zdIcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAdBgNVHQ4EFgQUaUYj
    VPmwNXgEobFmjNSo3/bgkh8wHwYDVR0jBBgwFoAUZQ28+4SEQSBwm0nCIlHJos+s
    C/gwCgYIKoZIzj0EAwIDSAAwRQIhANUZLY8trdcNjQ3fgwA7pisdoGU5Jyl9h445
    9R1iyFF3AiBle27TPIt1Yg+bYFFUAPAwfUDR/LUB65Tjxr0cv1ttCQ==
    -----END CERTIFICATE-----
    """

  /// The certificate for elsewhere.example.
  static let wrongName = """
    -----BEGIN CERTIFICATE-----
    MIIBzjCCAXSgAwIBAgICEAMwCgYIKoZIzj0EAwIwKzEpMCcGA1UEAwwgRmVhdGhl
    clJFU1RDbGllbnQgdGVzdCBhdXRob3JpdHkwIBcNMTkwMTAxMDAwMDAwWhgPMjEx
    OTAxMDEwMDAwMDBaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFtcGxlMFkwEwYH
    KoZIzj0CAQYIKoZIzj0DAQcDQgAEJyaRAquCZ+6vu5x8z+/CF11LG+dXFuc2hheZ
    wMys3bnY6uCjtUwh9I0PhTOPwLegon4TVlFLY3i6ASrCoLzbNKOBlDCBkTAMBgNV
    HRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATAc
    BgNVHREEFTATghFlbHNld2hlcmUuZXhhbXBsZTAdBgNVHQ4EFgQUaUYjVPmwNXgE
    obFmjNSo3/bgkh8wHwYDVR0jBBgwFoAUZQ28+4SEQSBwm0nCIlHJos+sC/gwCgYI
    KoZIzj0EAwIDSAAwRQIhAKj+3JaLv0uFz5pXBqvnwn5qHmdn4lZ/uShjhfJSMm/T
    AiBlZwtT9H24tY54hWUL7udIaW58WqClIjMJUlKkA3C7Og==
    -----END CERTIFICATE-----
    """

  /// The private key of the three certificates above.
  static let serverKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZW9oJyLDZULgiSsz
    57gvppRClc5WVWFhx0PNc5hVNpuhRANCAAQnJpECq4Jn7q+7nHzP78IXXUsb51cW
    5zaGF5nAzKzdudjq4KO1TCH0jQ+FM4/At6CifhNWUUtjeLoBKsKgvNs0
    -----END PRIVATE KEY-----
    """

  /// The client's certificate.
  static let client = """
    -----BEGIN CERTIFICATE-----
    MIIBqDCCAU6gAwIBAgICEAQwCgYIKoZIzj0EAwIwKzEpMCcGA1UEAwwgRmVhdGhl
    clJFU1RDbGllbnQgdGVzdCBhdXRob3JpdHkwIBcNMTkwMTAxMDAwMDAwWhgPMjEx
    OTAxMDEwMDAwMDBaMBYxFDASBgNVBAMMC3Rlc3QgY2xpZW50MFkwEwYHKoZIzj0C
    AQYIKoZIzj0DAQcDQgAE2ExLr5Cw56GjVGGSZGDnRXDqUK2eK6nctsfqrUD44obE
    FR3LXPoKu8Xq/XeBfUPfKMCV7cgCwF8il4P4izrQYaN1MHMwDAYDVR0TAQH/BAIw
    ADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0OBBYE
    FAGQJ/Lw8aumY/T67p4ngEuvooNcMB8GA1UdIwQYMBaAFGUNvPuEhEEgcJtJwiJR
    yaLPrAv4MAoGCCqGSM49BAMCA0gAMEUCICG9xycr0i3CISB4OcoGTl1xCvD3dBLQ
    Q3DyggDuR3KaAiEA3EiUnzcmuEFR0kSQLMpSC+c6sxWgDROitizHJSHeQeE=
    -----END CERTIFICATE-----
    """

  /// The client's private key.
  static let clientKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgp9OU3Yxw32s93BXQ
    uOvvpP46bdnDD/iYItQMEvyeyUqhRANCAATYTEuvkLDnoaNUYZJkYOdFcOpQrZ4r
    qdy2x+qtQPjihsQVHctc+gq7xer9d4F9Q98owJXtyALAXyKXg/iLOtBh
    -----END PRIVATE KEY-----
    """

  /// The SHA-256 digest of the servers' public key, in Base64.
  static let publicKeyDigest = "drwFuLe+mFnIEebz+mvL4ptfCigMBbUoU7yFBVesJ+0="
}
