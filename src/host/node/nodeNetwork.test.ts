import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type LoopbackServer } from '../../../test/builders/createLoopbackNetwork.ts';
import { createTestCertificate } from '../../../test/builders/createTestCertificate.ts';
import type { NetworkRoute } from '../network.ts';
import { createNodeNetwork } from './nodeNetwork.ts';

const certificate = createTestCertificate('site.example');
const trusting = createNodeNetwork({ ca: certificate.cert });
const loopback: NetworkRoute = { kind: 'address', address: '127.0.0.1' };
const names: (string | false | null)[] = [];
let server: LoopbackServer;

beforeAll(async () => {
  const https = createHttps(
    certificate,
    (request, response) => void response.end(`${request.headers.host} ${request.url}`),
  );
  https.on('secureConnection', (socket) => names.push(socket.servername));
  server = await listen(https);
});
afterAll(async () => await server.close());

async function get(host: string, network = trusting, route = loopback): Promise<string> {
  const { signal } = new AbortController();
  const response = await network.send({
    url: `https://${host}:${server.port}/a?b`,
    route,
    headers: {},
    signal,
  });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('over TLS', () => {
  it('the name is that of the URL, whatever the address', async () => {
    expect(await get('site.example')).toBe(`site.example:${server.port} /a?b`);
    expect(names.at(-1)).toBe('site.example');
  });

  it('a certificate for another name is refused', async () => {
    await expect(get('other.example')).rejects.toMatchObject({ code: 'net_connect' });
    await expect(get('127.0.0.1')).rejects.toMatchObject({ code: 'net_connect' });
  });

  it('a certificate that nobody vouches for is refused, even where the environment would not check', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await expect(get('site.example', createNodeNetwork())).rejects.toMatchObject({ code: 'net_connect' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('through a proxy', () => {
  it('a tunnel is asked for by name, and TLS is spoken with the host at its other end', async () => {
    const asked: unknown[] = [];
    const http = createHttp();
    const closed: Promise<void>[] = [];
    http.on('connect', (request, socket) => {
      closed.push(new Promise((resolve) => void socket.on('close', () => resolve())));
      asked.push([request.url, request.headers['proxy-authorization']]);
      const target = connect(server.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
      socket.on('error', () => target.destroy()).on('close', () => target.destroy());
      target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    });
    const proxy = await listen(http);
    const route: NetworkRoute = { kind: 'proxy', proxy: `http://me:pw@127.0.0.1:${proxy.port}` };
    expect(await get('site.example', trusting, route)).toBe(`site.example:${server.port} /a?b`);
    expect(asked).toEqual([
      [`site.example:${server.port}`, `Basic ${Buffer.from('me:pw').toString('base64')}`],
    ]);
    await expect(get('other.example', trusting, route)).rejects.toMatchObject({ code: 'net_connect' });
    await Promise.all(closed);
    await proxy.close();
  });

  it('of another kind is an error, which keeps its password', async () => {
    const route: NetworkRoute = { kind: 'proxy', proxy: 'socks5://me:hidden@127.0.0.1:1' };
    const error = await get('site.example', trusting, route).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'net_proxy_kind' });
    expect(String(error)).not.toContain('hidden');
  });

  it('that opens no tunnel is an error', async () => {
    const http = createHttp();
    http.on('connect', (_request, socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const proxy = await listen(http);
    const route: NetworkRoute = { kind: 'proxy', proxy: `http://127.0.0.1:${proxy.port}` };
    await expect(get('site.example', trusting, route)).rejects.toMatchObject({ code: 'net_connect' });
    await proxy.close();
  });
});

describe('a connection', () => {
  it('to nobody is an error that names the host', async () => {
    const closed = createHttp();
    await new Promise<void>((resolve) => void closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise<void>((resolve) => void closed.close(() => resolve()));
    const { signal } = new AbortController();
    const sent = trusting.send({ url: `http://site.example:${port}/`, route: loopback, headers: {}, signal });
    await expect(sent).rejects.toMatchObject({
      code: 'net_connect',
      message: expect.stringContaining(`site.example:${port}`) as string,
    });
  });

  it('ends with the signal, before and after the headers', async () => {
    const controller = new AbortController();
    const silent = await listen(
      createHttp((request, response) => {
        if (request.url === '/body') response.writeHead(200).write('x');
        else controller.abort();
      }),
    );
    const url = `http://site.example:${silent.port}`;
    const { signal } = controller;
    const body = new AbortController();
    const response = await trusting.send({
      url: `${url}/body`,
      route: loopback,
      headers: {},
      signal: body.signal,
    });
    const rest = (async () => {
      for await (const _ of response.body) body.abort();
    })();
    await expect(rest).rejects.toMatchObject({ code: 'cancelled' });
    const sent = trusting.send({ url: `${url}/`, route: loopback, headers: {}, signal });
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' });
    await silent.close();
  });

  it('of a header that no request can have is an error, and no crash', async () => {
    const { signal } = new AbortController();
    const headers = { 'x-a': 'b\r\nc: d' };
    const sent = trusting.send({
      url: `http://site.example:${server.port}/`,
      route: loopback,
      headers,
      signal,
    });
    await expect(sent).rejects.toThrow();
  });
});

it('looks a name up, and finds none for what does not exist', async () => {
  expect(await trusting.lookup('localhost')).toContain('127.0.0.1');
  expect(await trusting.lookup('-')).toEqual([]);
});
