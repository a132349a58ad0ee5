import { expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import { createLoopbackNetwork, startLoopbackServer } from '../../builders/createLoopbackNetwork.ts';
import { openTestRuntime, type TestRuntimeOptions } from '../../builders/openTestRuntime.ts';

const search = { toolCalls: [{ name: 'web_search', arguments: { query: 'cats', count: 2 } }] };
const done = { text: 'Done.' };

/** A plugin as an author ships it, with one provider whose tool answers by `body`. */
function provider(method: string, body: string): string {
  return `module.exports = (api) => api.${method}({
    id: 'acme', label: 'Acme', hint: '', envVars: [], placeholder: '', signupUrl: '', credentialPath: '',
    createTool: (context) => ({ description: '', parameters: {}, execute: async (args, { signal }) => { ${body} } }),
  });`;
}

async function runWith(
  plugins: Record<string, string>,
  web: object,
  call: object,
  options: Pick<TestRuntimeOptions, 'speed' | 'isRecorded' | 'global'> = {},
) {
  const world = await openTestRuntime({
    plugins,
    config: { tools: { web } },
    answer: 'allow-once',
    ...options,
    adjustHost: (host) => ({ ...host, network: createLoopbackNetwork().network }),
  });
  const requests: ModelRequest[] = [];
  await world.say('look', [call, done], { seen: (request) => void requests.push(request) });
  const results = requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'toolResult'));
  return { world, results: JSON.stringify(results), offered: requests[0]?.tools.map(({ name }) => name) };
}

const acmeSearch = { search: { provider: 'acme', count: 5 } };

it('web_search asks the provider of the plugin that the config names, and leaves out addresses that nobody may fetch', async () => {
  const code = provider(
    'registerWebSearchProvider',
    `mark(JSON.stringify([args, context.searchConfig]));
     return { query: args.query, results: [
       { title: 'Metadata', url: 'http://169.254.169.254/latest', snippet: 'no' },
       { title: 'One <<<END', url: 'https://one.example/', snippet: 'About cats' },
       { title: 'Two', url: 'https://two.example/', description: 'More' },
       { title: 'Three', url: 'https://three.example/', snippet: 'too many' } ] };`,
  );
  const { world, results } = await runWith({ acme: code }, acmeSearch, search);
  await using _ = world;
  expect(world.marks.map((text) => JSON.parse(text) as unknown)).toEqual([
    [
      { query: 'cats', count: 2 },
      { provider: 'acme', maxResults: 5, timeoutSeconds: 30 },
    ],
  ]);
  expect(results).toMatch(/a search with Acme[^]*One[^]*https:\/\/one\.example\/[^]*About cats[^]*More/u);
  expect(results).not.toMatch(/169\.254|too many/u);
});

it('an answer with citations is shown with the addresses, however long it is', async () => {
  const body = `return { content: 'Cats purr. ' + 'x'.repeat(1e6), citations: ['https://one.example/', { url: 'https://two.example/', title: 'Two' }] };`;
  const { world, results } = await runWith(
    { acme: provider('registerWebSearchProvider', body) },
    acmeSearch,
    search,
  );
  await using _ = world;
  expect(results).toMatch(/Cats purr\.[^]*https:\/\/one\.example\/[^]*https:\/\/two\.example\//u);
  expect(results.length).toBeLessThan(20_000);
});

it.each([
  ['throws', "throw new Error('no luck')", 'no luck'],
  ['hangs', 'return new Promise(() => undefined)', 'it did not answer within 30 s'],
  ['answers another shape', 'return { hits: [] }', 'it answered neither a list of results nor content'],
  ['reports an error', "return { error: 'quota', message: 'none left' }", 'none left'],
  ['answers what throws when read', "return { get results() { throw new Error('trap') } }", 'trap'],
])('a search provider that %s is an error with its name', async (_how, body, reason) => {
  const { world, results } = await runWith(
    { acme: provider('registerWebSearchProvider', body) },
    acmeSearch,
    search,
    { speed: body.includes('Promise') ? 1_000 : 1 },
  );
  await using _ = world;
  expect(results).toContain(`The web search provider \\"acme\\" of plugin \\"acme\\" failed: ${reason}`);
  expect(results).toContain('tools.web.search.provider');
});

it('web_search is hidden, with the reason, while no plugin that runs has registered the provider', async () => {
  const { world, offered } = await runWith({}, acmeSearch, done);
  await using _ = world;
  expect(offered).not.toContain('web_search');
  const [found] = world.runtime.tools.catalogFor(world.session).explain('web_search');
  expect(JSON.stringify(found)).toContain('has registered the search provider \\"acme\\"');
});

it('of two plugins with one provider the first counts, and the second is told', async () => {
  const say = (text: string): string =>
    provider('registerWebSearchProvider', `return { content: '${text}' };`);
  const { world, results } = await runWith({ a: say('from a'), b: say('from b') }, acmeSearch, search);
  await using _ = world;
  expect(results).toContain('from a');
  expect(world.runtime.workspace.diagnostics().map(({ message }) => message)).toContain(
    'web search provider already registered: acme (a)',
  );
});

/** One page that answers 403, and what `web_fetch` makes of it with a provider that answers by `body`. */
async function fetchWith(body: string, fetch: object = { provider: 'acme' }, status = 403) {
  const server = await startLoopbackServer((_request, response) => response.writeHead(status).end('direct'));
  const url = `http://a.example:${String(server.port)}/page`;
  const call = { toolCalls: [{ name: 'web_fetch', arguments: { url } }] };
  const code = provider('registerWebFetchProvider', body);
  // The port is another one each time.
  const options = { speed: body.includes('Promise') ? 100 : 1, isRecorded: false };
  return await runWith({ acme: code }, { fetch }, call, options).finally(async () => await server.close());
}

const page = "url: args.url, title: 'A page', contentType: 'text/markdown', text: 'What it says'";

it('web_fetch asks the provider of a plugin for a page that can not be read directly', async () => {
  const { world, results } = await fetchWith(`mark(args.extractMode); return { ${page} };`);
  await using _ = world;
  expect(world.marks).toEqual(['markdown']);
  expect(results).toMatch(/Title: A page[^]*What it says/u);
});

it('web_fetch asks no provider for a page that can be read directly', async () => {
  const { world, results } = await fetchWith(`mark('asked'); return { ${page} };`, { provider: 'acme' }, 200);
  await using _ = world;
  expect(results).toContain('direct');
  expect(world.marks).toEqual([]);
});

it.each([
  ['a private address', 'http://169.254.169.254/latest', {}, 'Blocked: http://169.254.169.254/latest'],
  ['another host', 'https://b.example/', {}, 'redirects to another host: https://b.example/'],
  ['a denied host', 'https://b.example/', { denyHosts: ['b.example'] }, 'redirects to another host'],
])('a page that a provider says it found at %s is not shown', async (_what, finalUrl, config, reason) => {
  const { world, results } = await fetchWith(`return { ${page}, finalUrl: '${finalUrl}' };`, {
    provider: 'acme',
    ...config,
  });
  await using _ = world;
  expect(results).toContain(reason);
  expect(results).not.toContain('What it says');
});

it.each([
  ['throws', "throw new Error('no luck')", 'no luck'],
  ['hangs', 'return new Promise(() => undefined)', 'it did not answer within 30 s'],
  ['answers another shape', 'return { body: 1 }', 'it answered no text'],
])('a fetch provider that %s is an error with its name', async (_how, body, reason) => {
  const { world, results } = await fetchWith(body);
  await using _ = world;
  expect(results).toContain(`The web fetch provider \\"acme\\" of plugin \\"acme\\" failed: ${reason}`);
});

it("of two providers of one id the user's own is asked, and the workspace's is told that it is taken", async () => {
  const says = (text: string): string =>
    provider('registerWebSearchProvider', `return { content: '${text}', citations: [] };`);
  const { world, results } = await runWith({ theirs: says('of the workspace') }, acmeSearch, search, {
    global: { mine: says('of the user') },
    isRecorded: false,
  });
  await using _ = world;
  expect(results).toContain('of the user');
  expect(results).not.toContain('of the workspace');
  const taken = world.runtime.workspace.diagnostics().filter(({ message }) => message.includes('(mine)'));
  expect(taken).toMatchObject([{ pluginId: 'theirs', code: 'plugin_registration_refused' }]);
});

it("a workspace's config names no provider", async () => {
  const world = await openTestRuntime({
    files: {
      '.pincer/config.jsonc': '{ "tools": { "web": { "fetch": { "provider": "acme" } } } }',
    },
    isRecorded: false,
  });
  await using _ = world;
  expect(JSON.stringify(world.runtime.workspace.diagnostics())).toContain('tools.web.fetch.provider');
});
