// Loads the protocol's library: imported with `import()` only, by whoever serves.
// Threat: a client that a stranger drives asks for more than it was offered. So it gets the tools that are named here and no others, each
// call goes the way of every call, and a failure tells what the pipeline tells a model.
import type { Readable, Writable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createTimer } from '../../base/createTimer.ts';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { JsonSchema } from '../../contracts/jsonTypes.ts';
import type { ToolResult } from '../../contracts/tool.ts';

export interface ServedResult {
  readonly content: ToolResult['content'];
  readonly isError: boolean;
}

/** A tool that clients of other programs may call. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** True where nothing changes by it. */
  readonly isReadOnly: boolean;
  /** True where it may meet what nobody here knows: hosts, programs, people. */
  readonly isOpenWorld: boolean;
  /** Rejects where it failed. `progress` gets what it says while it runs, as often as it says it. */
  call(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    progress?: (text: string) => void,
  ): Promise<ServedResult>;
}

interface Served {
  /** As they are now: each request asks anew. */
  readonly tools: () => readonly ServedTool[];
  readonly version: string;
  /** What went wrong beside the answers. */
  readonly log: (text: string) => void;
}

interface ServeOptions extends Served {
  readonly input: Readable;
  readonly output: Writable;
}

export interface Serving {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves these tools over two streams, in both protocols. */
export function serveTools({ input, output, ...served }: ServeOptions): Serving {
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(() => createServer(served), {
    transport,
    onerror: (error) => served.log(errorMessage(error)),
  });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
  });
  return { ended, close: () => handle.close() };
}

/**
 * Answers one request over streamable HTTP, in both protocols; no request knows of another. Who asks was checked before. `body` is what came,
 * read; the signal of the request aborts when its client leaves.
 */
export function createRequestAnswerer(
  served: Served,
): (request: Request, body: unknown) => Promise<Response> {
  const { fetch } = createMcpHandler(({ requestInfo }) => createServer(served, requestInfo?.signal), {
    onerror: (error) => served.log(errorMessage(error)),
  });
  return (request, body) => fetch(request, { parsedBody: body });
}

function createServer({ tools, version }: Served, left?: AbortSignal): McpServer {
  const served = new McpServer({ name: 'pincer', version }, { capabilities: { tools: {} } });
  // Schemas are given as they are: the layer above wants its own.
  const { server } = served;
  server.setRequestHandler('tools/list', () => ({
    tools: tools().map(({ name, description, parameters, isReadOnly, isOpenWorld }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' as const },
      annotations: { readOnlyHint: isReadOnly, openWorldHint: isOpenWorld },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const signal = left === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, left]);
    const tool = tools().find(({ name }) => name === params.name);
    if (tool === undefined) return failed(`There is no tool "${params.name}".`);
    const token = params._meta?.progressToken;
    const teller =
      token === undefined
        ? undefined
        : createProgressTeller((progress, message) =>
            mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken: token, progress, message },
            }),
          );
    try {
      const { content, isError } = await tool.call(params.arguments ?? {}, signal, teller?.tell);
      return { content: content.map(toContent), isError };
    } catch (error) {
      return failed(errorMessage(error));
    } finally {
      teller?.end();
    }
  });
  return served;
}

/** Between two notifications. Milliseconds. */
const progressEveryMs = 250;
const maxProgressChars = 300;

interface ProgressTeller {
  readonly tell: (text: string) => void;
  /** Nothing is told after it: the answer says all. */
  readonly end: () => void;
}

/** Tells the last line of what comes, counted, since nobody knows the total: the first at once, then the newest of each while. */
function createProgressTeller(send: (count: number, text: string) => Promise<void>): ProgressTeller {
  let count = 0;
  let isPausing = false;
  let newest: string | undefined;
  const tell = (text: string): void => {
    newest = inertLine(text.trimEnd().split('\n').at(-1) ?? '', maxProgressChars);
    if (!isPausing) tellNewest();
  };
  const tellNewest = (): void => {
    isPausing = newest !== undefined && newest !== '';
    if (!isPausing) return;
    count += 1;
    // A client that can't be told has gone: its request aborts.
    void send(count, newest ?? '').catch(() => undefined);
    newest = undefined;
    pause.start();
  };
  const pause = createTimer(progressEveryMs, tellNewest);
  return {
    tell,
    end() {
      isPausing = true;
      pause.stop();
    },
  };
}

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

function toContent(part: ServedResult['content'][number]): Content {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', data: part.data, mimeType: part.mimeType };
}

function failed(text: string): { readonly content: Content[]; readonly isError: true } {
  return { content: [{ type: 'text', text }], isError: true };
}
