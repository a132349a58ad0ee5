import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openMcpWorld, type McpWorld } from './openMcpWorld.ts';

const echo = { tool: 'echo', args: { text: 'hi' } } as const;

interface Question {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly text?: string } };
}

interface AddressServer extends AsyncDisposable {
  readonly url: string;
  /** `method authorization` of each request. */
  readonly asked: readonly string[];
}

/** A server at an address that speaks the older wire; `answer` may take a request over. */
async function openServer(
  answer: (question: Question, response: ServerResponse) => boolean = () => false,
): Promise<AddressServer> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    void readJson(request).then((question) => {
      asked.push(`${question.method} ${request.headers.authorization ?? ''}`.trim());
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
