import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that a test can cut: what a restart of the server looks like to its clients. */
export interface TestProxy {
  /** The server's URL with the proxy in its place. */
  readonly url: string;
  /** How many clients are connected. */
  connections(): number;
  /** Cuts every connection; new ones are refused at once. */
  goAway(): void;
  /** New connections are taken, and never answered. */
  hang(): void;
  comeBack(): void;
  close(): Promise<void>;
}

export async function startTestProxy(serverUrl: string): Promise<TestProxy> {
  const target = new URL(serverUrl);
  let mode: 'open' | 'away' | 'hanging' = 'open';
  const sockets = new Set<Socket>();
  let connections = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (mode === 'away') {
      client.resetAndDestroy();
      return;
    }
    connections += 1;
    client.on('close', () => (connections -= 1));
    if (mode === 'hanging') return;
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    connections: () => connections,
    goAway() {
      mode = 'away';
      cut();
    },
    hang() {
      mode = 'hanging';
      cut();
    },
    comeBack() {
      mode = 'open';
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
