import { afterEach, expect, it } from 'vitest';
import { startLoopbackServer, type LoopbackServer } from '../../../test/builders/createLoopbackNetwork.ts';
import { createNodeHttpClient } from '../../host/node/nodeHttpClient.ts';
import { systemClock } from '../../host/node/systemClock.ts';
import { listModels } from '../library/listModels.ts';
import { otherProvider } from '../providers/providerCatalog.ts';
import { discoverLocalServers } from './discoverLocalServers.ts';

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that answers `body`; without one it never answers. */
async function serve(status: number, body?: string): Promise<number> {
  const server = await startLoopbackServer((_request, response) => {
    if (body === undefined) return;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  servers.push(server);
  return server.port;
}

const http = createNodeHttpClient();
const list = (baseUrl: string, signal: AbortSignal) =>
  listModels({ api: 'openai-compatible', baseUrl, http, clock: systemClock, signal });
const at = (id: string, port: number) => ({ port, provider: { ...otherProvider, id } });
/** A second passes in ten milliseconds. */
const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / 100, call) };

it('finds the servers that list models, in the order of the ports, and those that want a key', async () => {
  const models = await serve(200, JSON.stringify({ data: [{ id: 'b' }, { id: 'a' }] }));
  const closed = await serve(200, '');
  const page = await serve(200, '<html>another program</html>');
  const keyed = await serve(401, JSON.stringify({ error: { message: 'key?' } }));
  await servers[1]?.close();
  servers.splice(1, 1);
  const found = await discoverLocalServers({
    list,
    clock: systemClock,
    signal: new AbortController().signal,
    ports: [at('models', models), at('closed', closed), at('page', page), at('keyed', keyed)],
  });
  expect(found.map(({ provider, ...rest }) => ({ id: provider.id, ...rest }))).toEqual([
    {
      id: 'models',
      baseUrl: `http://127.0.0.1:${models}/v1`,
      models: [{ id: 'a' }, { id: 'b' }],
      needsKey: false,
    },
    { id: 'keyed', baseUrl: `http://127.0.0.1:${keyed}/v1`, models: [], needsKey: true },
  ]);
});

it('waits a second for a server that does not answer, not longer', async () => {
  const silent = await serve(200);
  const found = await discoverLocalServers({
    list,
    clock,
    signal: new AbortController().signal,
    ports: [at('silent', silent)],
  });
  expect(found).toEqual([]);
});

it('asks this machine only, by its address', async () => {
  const asked: string[] = [];
  await discoverLocalServers({
    list: (baseUrl) => {
      asked.push(baseUrl);
      return Promise.resolve([]);
    },
    clock,
    signal: new AbortController().signal,
  });
  expect(asked.sort()).toEqual(
    [11_434, 1_234, 8_000, 8_080].map((port) => `http://127.0.0.1:${port}/v1`).sort(),
  );
});

it('ends with the user', async () => {
  const silent = await serve(200);
  const abort = new AbortController();
  const search = discoverLocalServers({
    list,
    clock: systemClock,
    signal: abort.signal,
    ports: [at('silent', silent)],
  });
  abort.abort();
  await expect(search).rejects.toMatchObject({ code: 'cancelled' });
});
