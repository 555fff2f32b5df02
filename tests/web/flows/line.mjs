// The line between a browser and the house: a proxy on loopback through which all goes that the browser sends, to
// whatever host. It writes every request down, and it can be cut. Nothing leaves this machine.
import http from "node:http";

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Open a line. `names` are other names of the house, by which a browser may call it. */
export async function openLine(names = []) {
  const sent = [];
  const open = new Set();
  let whole = true;
  let held = null;

  const server = http.createServer((request, response) => {
    const url = new URL(request.url, "http://nobody.invalid");
    const parts = [];
    const told = { method: request.method, url: url.href, headers: request.headers, body: "", at: Date.now(), status: 0, open: false };
    sent.push(told);
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      told.body = Buffer.concat(parts).toString("utf8");
      if (!LOOPBACK.test(url.hostname) && !names.includes(url.hostname)) {
        response.writeHead(403).end();
        return;
      }
      const { method, headers } = request;
      const where = { host: "127.0.0.1", port: url.port, path: url.pathname + url.search, method, headers };
      const onward = http.request(where, (answer) => {
        Object.assign(told, { status: answer.statusCode, open: true });
        response.on("close", () => answer.destroy());
        const late = method === "GET" && held && url.pathname.endsWith(held.path) ? held : null;
        if (late) held = null;
        Promise.resolve(late?.until).then(() => {
          response.writeHead(answer.statusCode, answer.rawHeaders);
          answer.pipe(response);
        });
      });
      onward.on("error", () => response.destroy());
      response.on("close", () => {
        told.open = false;
        onward.destroy();
      });
      onward.end(Buffer.concat(parts));
    });
    request.on("error", () => undefined);
  });
  // A tunnel would be to a host with TLS: there is none here.
  server.on("connect", (request, socket) => {
    sent.push({ method: "CONNECT", url: `https://${request.url}`, headers: {}, body: "", at: Date.now() });
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.on("connection", (socket) => {
    if (!whole) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    /** Every request so far, the oldest first: method, url, headers, body, time; its status, and if its answer goes on. */
    sent,
    address: `http://127.0.0.1:${server.address().port}`,
    /** Lose the line: what is open breaks, and nothing new gets through. */
    cut() {
      whole = false;
      for (const socket of open) socket.destroy();
    },
    mend() {
      whole = true;
    },
    /** Keep back the answer to the next GET of a path that ends so, until the returned function is called. */
    hold(path) {
      let release;
      held = { path, until: new Promise((resolve) => (release = resolve)) };
      return release;
    },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
