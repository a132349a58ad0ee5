import { expect, it } from 'vitest';
import type { PluginWebSearchResult } from '../../../src/sdk/types.ts';
import { createLoopbackNetwork, startLoopbackServer } from '../../builders/createLoopbackNetwork.ts';
import { openTestRuntime, type TestRuntime } from '../../builders/openTestRuntime.ts';

/** Answers a command with what a search gave, or the code of the error. */
const asker = `module.exports = (api) => {
  const { webSearch } = api.runtime;
  const tell = (name, run) => api.registerCommand({
    name, description: 'Asks.', acceptsArgs: true,
    handler: async ({ args }) => JSON.stringify(await run(args)),
  });
  tell('find', (args) => webSearch.search({ config: api.config, ...JSON.parse(args) }).catch(({ code, message }) => code ?? message));
  tell('providers', () => webSearch.listProviders({ config: api.config }));
  tell('fenced', () => {
    const assertCurrent = () => { throw new Error('no longer current'); };
    return webSearch.search({ args: { query: 'cats' }, assertCurrent }).catch(({ message }) => message);
  });
};`;

const acme = `module.exports = (api) => api.registerWebSearchProvider({
  id: 'acme', label: 'Acme',
  createTool: ({ searchConfig }) => ({
    description: '', parameters: {},
    execute: async (args) => {
      mark(JSON.stringify([args, searchConfig.apiKey]));
      return { content: 'Cats purr.', citations: ['https://one.example/', 'http://169.254.169.254/'] };
    },
  }),
});`;

interface World {
  readonly world: TestRuntime & AsyncDisposable;
  readonly ask: (line: string) => Promise<unknown>;
  readonly find: (params: object) => Promise<unknown>;
}

async function openWorld(search?: object): Promise<World> {
  const world = await openTestRuntime({
    global: { asker, acme },
    config: { tools: { web: search === undefined ? {} : { search } } },
    adjustHost: (host) => ({
      ...host,
      env: { ...host.env, ACME_KEY: 'key-of-the-user' },
      network: createLoopbackNetwork().network,
    }),
  });
  const ask = async (line: string): Promise<unknown> =>
    JSON.parse((await world.runtime.plugins.findCommand(line)?.run(world.session))?.text ?? '');
  return { world, ask, find: (params) => ask(`/find ${JSON.stringify(params)}`) };
}

it('a plugin searches by the service of the config, with the limits of web_search and whatever config it hands over', async () => {
  const seen: string[] = [];
  const hit = (name: string) => ({ url: `https://${name}.example/`, title: name, content: `About ${name}` });
  const server = await startLoopbackServer((request, response) => {
    seen.push(request.url ?? '');
    response.end(JSON.stringify({ results: [hit('one'), hit('two'), hit('three')] }));
  });
  const baseUrl = `http://127.0.0.1:${String(server.port)}`;
  const { world, find } = await openWorld({ provider: 'searxng', baseUrl });
  await using _ = world;
  const config = { tools: { web: { search: { provider: 'searxng', baseUrl: 'http://evil.example' } } } };
  const found = await find({ config, args: { query: 'cats', count: 2, freshness: 'year', country: 'US' } });
  await server.close();
  expect(seen).toEqual([expect.stringMatching(/^\/search\?q=cats&.*time_range=year/u)]);
  expect(found).toEqual({
    provider: 'searxng',
    result: {
      query: 'cats',
      provider: 'searxng',
      externalContent: { untrusted: true, source: 'web_search', provider: 'searxng', wrapped: false },
      count: 2,
      results: [
        { title: 'one', url: 'https://one.example/', snippet: 'About one' },
        { title: 'two', url: 'https://two.example/', snippet: 'About two' },
      ],
    },
  } satisfies PluginWebSearchResult);
  expect(world.runtime.workspace.diagnostics().map(({ message }) => message)).toContain(
    'api.runtime.webSearch.search({ args: { country } }) has no effect here: a search takes query, count, and freshness as day, week, month, year',
  );
});

it('a plugin has the provider of another one asked where the config names that, which gets the key alone', async () => {
  const { world, find } = await openWorld({ provider: 'acme', apiKey: { env: 'ACME_KEY' } });
  await using _ = world;
  const found = await find({ args: { query: 'cats' } });
  expect(found).toMatchObject({
    provider: 'acme',
    result: { content: 'Cats purr.', citations: [{ url: 'https://one.example/', title: 'one.example' }] },
  });
  expect(JSON.stringify(found)).not.toMatch(/169\.254|key-of-the-user/u);
  expect(world.marks).toEqual([JSON.stringify([{ query: 'cats', count: 5 }, 'key-of-the-user'])]);
});

it('no plugin has a provider asked that the config does not name', async () => {
  const { world, find } = await openWorld({ provider: 'brave', apiKey: { env: 'ACME_KEY' } });
  await using _ = world;
  expect(await find({ providerId: 'acme', args: { query: 'cats' } })).toBe('web_search_provider_refused');
  expect(world.marks).toEqual([]);
});

it('nothing is asked while the caller says that its turn is over', async () => {
  const { world, ask } = await openWorld({ provider: 'acme' });
  await using _ = world;
  expect(await ask('/fenced')).toBe('no longer current');
  expect(world.marks).toEqual([]);
});

it('a search without a configured service, or without a query, is an error', async () => {
  const { world, find } = await openWorld();
  await using _ = world;
  expect(await find({ args: { query: 'cats' } })).toBe('web_search_unavailable');
  expect(await find({ args: { query: ' ' } })).toContain('args.query');
});

it('a plugin sees whom the config may name, and no code of theirs', async () => {
  const { world, ask } = await openWorld();
  await using _ = world;
  expect(await ask('/providers')).toEqual([
    { id: 'searxng', label: 'SearXNG', pluginId: 'searxng' },
    { id: 'brave', label: 'Brave Search', pluginId: 'brave' },
    { id: 'acme', label: 'Acme', pluginId: 'acme' },
  ]);
});
