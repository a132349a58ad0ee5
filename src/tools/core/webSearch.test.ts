import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testCall, testRun } from '../../../test/builders/callContexts.ts';
import {
  createLoopbackNetwork,
  startLoopbackServer,
  type LoopbackServer,
} from '../../../test/builders/createLoopbackNetwork.ts';
import { createWebToolWorld, type WebToolWorld } from '../../../test/builders/createWebToolWorld.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import type { PinnedRequest } from '../../host/network.ts';
import { createWebSearch } from './web/createWebSearch.ts';
import { createWebSearchTool } from './webSearch.ts';

let server: LoopbackServer;
let seen: IncomingMessage[];
let body: string;
let status: number;
let location: string | undefined;
let world: WebToolWorld;
let tool: AgentTool;

const hits = [
  { url: 'https://one.example/', title: 'The <strong>first</strong>', content: 'About &amp; around' },
  { url: 'https://two.example/', title: 'The second', content: null },
];

beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    seen.push(request);
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
});
afterAll(async () => await server.close());
beforeEach(() => {
  seen = [];
  status = 200;
  location = undefined;
  body = JSON.stringify({ query: 'x', results: hits });
  world = createWebToolWorld(createLoopbackNetwork().network);
  tool = createWebSearchTool({ ...world.deps, search: createWebSearch(world.deps) });
});

function useSearxng(): void {
  const baseUrl = `http://127.0.0.1:${server.port}/sub`;
  world.options.search = { provider: 'searxng', baseUrl, apiKey: undefined, count: 5 };
}

async function search(params: Record<string, unknown> = {}): Promise<ToolResult> {
  const call = await tool.prepare(testCall(), { query: 'cats & dogs', ...params });
  return await call.run(testRun());
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('until a service is configured', () => {
  it('it is hidden, and says what is missing', async () => {
    expect(tool.unavailable?.()).toBe('no search service is configured (tools.web.search)');
    world.options.search = { provider: 'searxng', baseUrl: undefined, apiKey: undefined, count: 5 };
    expect(tool.unavailable?.()).toContain('baseUrl');
    world.options.search = { provider: 'brave', baseUrl: undefined, apiKey: undefined, count: 5 };
    expect(tool.unavailable?.()).toContain('apiKey');
    await expect(search()).rejects.toMatchObject({ code: 'web_search_unavailable' });
    useSearxng();
    expect(tool.unavailable?.()).toBeUndefined();
  });
});

describe('SearXNG', () => {
  beforeEach(useSearxng);

  it('is asked at the address that the user named, the own machine included, and its hits come fenced', async () => {
    const result = await search({ freshness: 'day' });
    expect(seen.map(({ url }) => url)).toEqual(['/sub/search?q=cats+%26+dogs&format=json&time_range=day']);
    const text = textOf(result);
    expect(text).toMatch(
      /<<<EXTERNAL_UNTRUSTED_CONTENT id="\w{16}">>>\n1\. The first\n {3}https:\/\/one\.example\/\n {3}About & around\n/u,
    );
    expect(text).toContain('2. The second');
    expect(result.details).toEqual({ results: ['https://one.example/', 'https://two.example/'] });
  });

  it('gets user name and password of its address in a header, and nobody else sees them', async () => {
    const baseUrl = `http://me:hidden@127.0.0.1:${server.port}`;
    world.options.search = { provider: 'searxng', baseUrl, apiKey: undefined, count: 5 };
    const call = await tool.prepare(testCall(), { query: 'x' });
    const result = await call.run(testRun());
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:hidden').toString('base64')}`);
    expect(JSON.stringify([call.effects, result])).not.toContain('hidden');
  });

  it('taints the session, and is itself no question', async () => {
    const { effects } = await tool.prepare(testCall(), { query: 'x' });
    expect(effects).toMatchObject([
      { kind: 'network', host: `127.0.0.1:${server.port}`, isAllowed: true, isTainted: false },
    ]);
    expect(world.taint.isTainted('s1', 'evil.example')).toBe(false);
    await search();
    expect(world.taint.isTainted('s1', 'evil.example')).toBe(true);
  });

  it('gives as many hits as asked for', async () => {
    expect(textOf(await search({ count: 1 }))).not.toContain('2. ');
    await expect(search({ count: 21 })).rejects.toMatchObject({ code: 'params_invalid' });
  });

  it('may find nothing', async () => {
    body = JSON.stringify({ results: [] });
    expect(textOf(await search())).toBe(`SearXNG at 127.0.0.1:${server.port} found nothing.`);
  });

  it.each(['<html>', '{}', '{"results":[{"title":"no address"}]}'])(
    'must answer what it should, not %s',
    async (text) => {
      body = text;
      await expect(search()).rejects.toMatchObject({ code: 'web_search_answer' });
    },
  );

  it('has a status that is told with what to do', async () => {
    status = 403;
    await expect(search()).rejects.toMatchObject({
      message: expect.stringContaining('403') as string,
      hint: expect.stringContaining('search.formats') as string,
    });
  });

  it.each(['http://127.0.0.1:1/', 'http://localhost/', 'https://a.example/'])(
    'leads nowhere else: %s',
    async (to) => {
      status = 302;
      location = to;
      await expect(search()).rejects.toMatchObject({ code: expect.stringMatching(/^net_/u) as string });
      expect(seen).toHaveLength(1);
    },
  );

  it('fits any number of long hits into one result', async () => {
    const long = {
      url: `https://one.example/${'p'.repeat(400)}`,
      title: 't'.repeat(500),
      content: 'c'.repeat(5_000),
    };
    body = JSON.stringify({ results: Array.from({ length: 50 }, () => long) });
    const text = textOf(await search({ count: 20 }));
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text).toContain('\n20. ');
    expect(text).toMatch(/<<<END_\w+ id="\w+">>>$/u);
  });
});

describe('Brave Search', () => {
  const sent: PinnedRequest[] = [];
  const key = 'key-that-nobody-may-see';

  function useBrave(secret: string | undefined): void {
    const { network } = createLoopbackNetwork();
    const answering = {
      ...network,
      send: (request: PinnedRequest) => {
        sent.push(request);
        return Promise.resolve({
          status,
          header: (name: string) => (name === 'location' ? location : undefined),
          body: (async function* () {
            yield new TextEncoder().encode(body);
          })(),
          close: () => undefined,
        });
      },
    };
    world = createWebToolWorld(answering, {
      secret: (reference) =>
        Promise.resolve('env' in reference && reference.env === 'BRAVE_KEY' ? secret : undefined),
    });
    world.options.search = { provider: 'brave', baseUrl: undefined, apiKey: { env: 'BRAVE_KEY' }, count: 5 };
    tool = createWebSearchTool({ ...world.deps, search: createWebSearch(world.deps) });
    sent.length = 0;
    const results = hits.map(({ url, title, content }) => ({ url, title, description: content }));
    body = JSON.stringify({ web: { results } });
  }

  it('gets the key in a header, which is all of the key that anybody sees', async () => {
    useBrave(` ${key}\n`);
    const call = await tool.prepare(testCall(), { query: 'cats', count: 2, freshness: 'week' });
    const result = await call.run(testRun());
    expect(sent[0]?.url).toBe(
      'https://api.search.brave.com/res/v1/web/search?q=cats&count=2&text_decorations=false&freshness=pw',
    );
    expect(sent[0]?.headers).toMatchObject({ 'x-subscription-token': key });
    expect(textOf(result)).toContain('1. The first');
    expect(JSON.stringify([call.effects, result])).not.toContain(key);
  });

  it('without a key is an error for the user, before anything is sent', async () => {
    useBrave(undefined);
    await expect(search()).rejects.toMatchObject({ code: 'web_search_key' });
    expect(sent).toEqual([]);
  });

  it('keeps the key from wherever it redirects to', async () => {
    useBrave(key);
    status = 302;
    location = 'https://evil.example/';
    const error = await search().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'net_redirect_elsewhere' });
    expect(String(error)).not.toContain(key);
    expect(sent).toHaveLength(1);
  });
});
