/// The text of nginx's configuration.
struct NginxConfiguration {
  /// The ports of the loopback interface.
  struct Ports {
    var cleartext: Int
    var tls: Int
    var http2: Int
  }

  var ports: Ports
  var hasTLS: Bool

  /// nginx runs as a single process, so that ending the process ends the server. By default nginx closes a connection
  /// after 1000 requests, and keeps temporary files in folders that need root.
  var text: String {
    """
    daemon off;
    master_process off;
    worker_processes 1;
    pid nginx.pid;
    error_log error.log;
    events { worker_connections 1000; }
    http {
      access_log off;
      sendfile on;
      tcp_nodelay on;
      keepalive_requests 1000000000;
      keepalive_timeout 3600s;
      open_file_cache max=16;
      default_type application/json;
      client_body_temp_path temporary-body;
      proxy_temp_path temporary-proxy;
      fastcgi_temp_path temporary-fastcgi;
      uwsgi_temp_path temporary-uwsgi;
      scgi_temp_path temporary-scgi;
      server {
        listen 127.0.0.1:\(ports.cleartext) backlog=4096;
        root content;
      }
    \(hasTLS ? secureServers : "")
    }

    """
  }

  /// The port for HTTP/2 refuses other versions, so that a contender that doesn't negotiate HTTP/2 shows failures. The
  /// other port offers no HTTP/2.
  private var secureServers: String {
    """
      ssl_certificate \(Certificate.certificateName);
      ssl_certificate_key \(Certificate.keyName);
      ssl_protocols TLSv1.2 TLSv1.3;
      server {
        listen 127.0.0.1:\(ports.tls) ssl backlog=4096;
        root content;
      }
      server {
        listen 127.0.0.1:\(ports.http2) ssl http2 backlog=4096;
        if ($server_protocol != HTTP/2.0) { return 505; }
        root content;
      }
    """
  }
}
