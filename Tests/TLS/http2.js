// An HTTP/2 server over TLS.
//
// Routes: `/gate/N` responds once N streams wait there. `/slow` reads slowly, and responds with the number of received
// bytes. `/leave` ends the connection after its response. `/quit` does so later, behind a frame, and then prints
// "gone". `/drip` sends single bytes without end, `/zeros` sends 16 MB of compressed zeros, `/stall` sends nothing, and
// `/reset` resets its stream. `/flood` sends 8 MB, and `/flooded` responds behind them. `/hang` stops the first
// connection, which then takes bytes and gives none. `/work` takes a moment. Each response names its connection, and
// the number of streams that wait.
const http2 = require("http2"), fs = require("fs"), net = require("net");
const pem = fs.readFileSync(process.argv[2]);
const maxConcurrentStreams = Number(process.argv[3]), hangs = process.argv[4] === "hangs";
const settings = { maxConcurrentStreams };
const server = http2.createSecureServer({ cert: pem, key: pem, allowHTTP1: false, settings });
let swallowed = !hangs, first;
const front = net.createServer(socket => {
  socket.on("error", () => {}).on("finish", () => console.log("gone"));
  if (!swallowed) { swallowed = true; return; }
  const back = net.connect(server.address().port, "127.0.0.1");
  back.on("error", () => {});
  socket.pipe(back).pipe(socket);
  first ??= () => socket.unpipe(back).resume();
});
let connections = 0, waiting = [], flooded = Promise.resolve();
server.on("session", session => { session.number = ++connections; session.on("error", () => {}); });
server.on("stream", (stream, headers) => {
  stream.on("error", () => {});
  const session = stream.session, path = headers[":path"];
  const respond = body => {
    if (stream.destroyed) return;
    stream.respond({ ":status": 200, "content-type": "application/json" });
    stream.end(JSON.stringify({ connection: session.number, waiting: waiting.length, ...body }));
  };
  if (path.startsWith("/gate/")) {
    waiting.push(respond);
    stream.on("close", () => { waiting = waiting.filter(other => other !== respond); });
    if (waiting.length >= Number(path.slice(6))) { waiting.splice(0).forEach(open => open({})); }
  } else if (path === "/slow") {
    let count = 0;
    stream.on("data", piece => {
      count += piece.length;
      stream.pause();
      setTimeout(() => stream.resume(), 20);
    });
    stream.on("end", () => respond({ count }));
  } else if (path === "/drip") {
    stream.respond({ ":status": 200 });
    const timer = setInterval(() => stream.write("x"), 20);
    stream.on("close", () => clearInterval(timer));
  } else if (path === "/work") {
    setTimeout(() => respond({}), 100);
  } else if (path === "/zeros") {
    stream.respond({ ":status": 200, "content-encoding": "gzip" });
    stream.end(require("zlib").gzipSync(Buffer.alloc(16e6)));
  } else if (path === "/flood") {
    stream.respond({ ":status": 200 });
    flooded = new Promise(resolve => stream.end(Buffer.alloc(8e6), resolve));
  } else if (path === "/flooded") {
    flooded.then(() => respond({}));
  } else if (path === "/hang") {
    first();
  } else if (path === "/stall") {
    return;
  } else if (path === "/reset") {
    stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
  } else if (path === "/leave") {
    respond({});
    session.close();
  } else if (path === "/quit") {
    respond({});
    // The frame and the end of the connection have a TLS record each, and come when the client has the response.
    setTimeout(() => { session.ping(() => {}); setImmediate(() => session.close()); }, 50);
  } else {
    respond({});
  }
});
process.stdin.on("end", () => process.exit(0)).resume();
server.listen(0, "127.0.0.1", () => {
  front.listen(0, "127.0.0.1", () => console.log(front.address().port));
});
