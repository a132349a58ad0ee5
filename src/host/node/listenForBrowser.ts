// Threat: any page can send a browser to a port of this machine. So an answer counts only with the state that this sign-in has made up, the
// port takes nothing else, and it is open for as long as the sign-in lasts.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { raceAbort } from '../../base/abort.ts';
import type { BrowserReturn } from '../browserReturn.ts';

/** RFC 8252, Loopback Interface Redirection. */
export async function listenForBrowser(before: string | undefined): Promise<BrowserReturn> {
  const waiting = new Map<string, (answer: URLSearchParams) => void>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const take = request.method === 'GET' ? waiting.get(searchParams.get('state') ?? '') : undefined;
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    if (take === undefined) {
      response.writeHead(404, headers).end('Nothing waits for this page.');
      return;
    }
    response.writeHead(200, headers).end('You can close this page and go back to Pincer.');
    take(searchParams);
  });
  const port = await listen(server, before === undefined ? 0 : Number(new URL(before).port));
  return {
    url: `http://127.0.0.1:${String(port)}/`,
    answer: (state, signal) =>
      raceAbort(new Promise<URLSearchParams>((resolve) => waiting.set(state, resolve)), signal),
    close() {
      waiting.clear();
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (port === 0) throw error;
    return await listen(server, 0);
  }
  return (server.address() as AddressInfo).port;
}
