import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ServerQuestion } from '../../../src/mcp/serverQuestion.ts';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';

const echo = { tool: 'echo', args: { text: 'hi' } } as const;

interface Question {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly arguments?: { readonly text?: string };
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

interface AddressServer extends AsyncDisposable {
  readonly url: string;
  /** `method authorization` of each request. */
  readonly asked: readonly string[];
  /** The path of each request. */
  readonly paths: readonly string[];
}

/** A server at an address that speaks the older wire; `answer` may take a request over. */
async function openServer(
  answer: (question: Question, response: ServerResponse) => boolean = () => false,
): Promise<AddressServer> {
  const asked: string[] = [];
  const paths: string[] = [];
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    void readJson(request).then((question) => {
      asked.push(`${question.method ?? 'answer'} ${request.headers.authorization ?? ''}`.trim());
      if (answer(question, response)) return;
      const result = resultOf(question);
      if (question.id === undefined) response.writeHead(202).end();
      else if (result === undefined)
        send(response, { id: question.id, error: { code: -32_601, message: 'No.' } });
      else send(response, { id: question.id, result });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readJson(request: IncomingMessage): Promise<Question> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? { method: request.method ?? '' } : (JSON.parse(text) as Question);
}

function send(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

function resultOf({ method, params }: Question): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      };
    case 'tools/list':
      return { tools: [{ name: 'echo', description: 'Echo.', inputSchema: { type: 'object' } }] };
    case 'tools/call':
      return { content: [{ type: 'text', text: params?.arguments?.text ?? '' }] };
    default:
      return undefined;
  }
}

function openWorld(url: string): Promise<McpWorld> {
  return openMcpWorld({ program: { url, headers: { authorization: 'Bearer own-token' } } });
}

it('calls a tool of a server at an address', async () => {
  await using server = await openServer();
  await using world = await openWorld(server.url);
  expect((await world.servers.inspect('files')).launch).toMatchObject({
    kind: 'address',
    origin: new URL(server.url).origin,
  });
  expect((await world.call(echo)).texts[0]).toMatch(/EXTERNAL_UNTRUSTED_CONTENT[^]*hi/u);
  expect(server.asked).toContain('tools/call Bearer own-token');
});

it('goes to another path of the origin that was agreed to as soon as the config names it, and asks before another origin', async () => {
  await using server = await openServer();
  await using world = await openWorld(server.url);
  const { workspace } = world.runtime.runtime;
  const config = join(workspace.home, 'config.jsonc');
  const name = async (url: string): Promise<void> => {
    await writeFile(config, (await readFile(config, 'utf8')).replace(/"url":"[^"]*"/u, `"url":"${url}"`));
    await workspace.reloadConfig();
  };
  await name(`${new URL(server.url).origin}/v2/mcp`);
  expect(world.servers.list()).toMatchObject([{ state: 'ready' }]);
  const before = server.paths.length;
  expect((await world.call(echo)).texts[0]).toContain('hi');
  expect(new Set(server.paths.slice(before))).toEqual(new Set(['/v2/mcp']));
  await name('http://127.0.0.1:9/mcp');
  expect(world.servers.list()).toMatchObject([{ state: 'changed' }]);
});

it('reads an answer that comes as a stream', async () => {
  await using server = await openServer(({ id, method }, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const message = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'streamed' }] } };
    response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    return true;
  });
  await using world = await openWorld(server.url);
  expect((await world.call(echo)).texts[0]).toContain('streamed');
});

/** Begins a stream of messages; what it gives writes one. */
function openStream(response: ServerResponse): (message: object) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message) =>
    void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}

it('takes up what a server at an address says before it answers: its progress, and what it asks a person', async () => {
  let finish: ((answer: object) => void) | undefined;
  await using server = await openServer((question, response) => {
    if (question.id === 'form') {
      response.writeHead(202).end();
      finish?.(question);
      return true;
    }
    if (question.method !== 'tools/call') return false;
    const write = openStream(response);
    const { progressToken } = question.params?._meta ?? {};
    write({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
    write({ id: 'form', method: 'elicitation/create', params: { message: 'Which?', requestedSchema } });
    finish = (answer) => {
      const text = JSON.stringify((answer as { readonly result: unknown }).result);
      write({ id: question.id, result: { content: [{ type: 'text', text }] } });
      response.end();
    };
    return true;
  });
  await using world = await openWorld(server.url);
  const asked: ServerQuestion[] = [];
  world.servers.askBy((question) => {
    asked.push(question);
    return Promise.resolve({ action: 'accept', content: { colour: 'red' } });
  });
  const { texts, events } = await world.call(echo);
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_progress', text: '1 of 2' }));
  expect(asked).toMatchObject([{ server: 'files', kind: 'form', fields: [{ name: 'colour' }] }]);
  expect(texts[0]).toContain('{"action":"accept","content":{"colour":"red"}}');
});

it('closes the stream of a call that took too long, however long the server would keep it open', async () => {
  const closed: unknown[] = [];
  await using server = await openServer((question, response) => {
    if (question.method !== 'tools/call') return false;
    openStream(response)({ method: 'notifications/message', params: { level: 'info', data: 'wait' } });
    response.once('close', () => closed.push(question.id));
    return true;
  });
  await using world = await openMcpWorld({ program: { url: server.url }, server: { timeoutMs: 1_000 } });
  expect((await world.call(echo)).results[0]?.isError).toBe(true);
  expect((await world.call(echo)).results[0]?.isError).toBe(true);
  await expect.poll(() => closed).toHaveLength(2);
  expect(server.asked.filter((each) => each.startsWith('notifications/cancelled'))).toHaveLength(2);
});

it('ends a stream that has no end', async () => {
  await using server = await openServer((question, response) => {
    if (question.method !== 'tools/call') return false;
    const write = openStream(response);
    const message = { method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(100_000) } };
    const flood = (): void => {
      if (response.destroyed) return;
      write(message);
      setImmediate(flood);
    };
    flood();
    return true;
  });
  await using world = await openMcpWorld({ program: { url: server.url }, server: { timeoutMs: 3_000 } });
  const { results } = await world.call(echo);
  expect(results[0]?.isError).toBe(true);
  expect(world.servers.log('files').join('\n')).toContain('more than 10000000 bytes');
});

it('follows no redirect, so that no other host gets what was sent or the headers', async () => {
  await using stranger = await openServer();
  await using server = await openServer(({ method }, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(307, { location: stranger.url }).end();
    return true;
  });
  await using world = await openWorld(server.url);
  expect((await world.call(echo)).results[0]?.isError).toBe(true);
  expect(stranger.asked).toEqual([]);
});

it('sends nothing a second time where the server redirects within its own origin', async () => {
  await using server = await openServer(({ method }, response) => {
    if (method !== 'tools/call') return false;
    response.writeHead(307, { location: '/elsewhere' }).end();
    return true;
  });
  await using world = await openWorld(server.url);
  expect((await world.call(echo)).results[0]?.isError).toBe(true);
  expect(server.asked.filter((each) => each.startsWith('tools/call'))).toHaveLength(1);
});
