#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"
#include "find_symbol.h"

long curlShimKeyFault(const char *certificate, const char *key, const char *password) {
  void *(*open)(const char *, const char *);
  int (*close)(void *);
  void *(*read_certificate)(void *, void **, void *, void *);
  void *(*read_key)(void *, void **, void *, void *);
  int (*is_pair)(const void *, const void *);
  void (*free_certificate)(void *);
  void (*free_key)(void *);
  void (*clear_errors)(void);
#define HAS(name, function) FIND(RTLD_DEFAULT, name, &function)
  if (!HAS(BIO_new_file, open) || !HAS(BIO_free, close) || !HAS(PEM_read_bio_X509_AUX, read_certificate) ||
      !HAS(PEM_read_bio_PrivateKey, read_key) || !HAS(X509_check_private_key, is_pair) ||
      !HAS(X509_free, free_certificate) || !HAS(EVP_PKEY_free, free_key) || !HAS(ERR_clear_error, clear_errors)) {
    return 0;
  }
  void *certificate_file = open(certificate, "r");
  void *key_file = open(key, "r");
  // Without a password OpenSSL would ask for one on the terminal.
  void *shown = certificate_file != NULL ? read_certificate(certificate_file, NULL, NULL, (void *)"") : NULL;
  void *secret = key_file != NULL ? read_key(key_file, NULL, NULL, (void *)password) : NULL;
  const long fault = shown == NULL ? 1 : secret == NULL ? 2 : is_pair(shown, secret) ? 0 : 3;
  free_certificate(shown);
  free_key(secret);
  close(certificate_file);
  close(key_file);
  // The next call of OpenSSL on this thread would take the errors for its own.
  clear_errors();
  return fault;
}

#endif
