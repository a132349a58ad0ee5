// Loads the protocol's library: imported with `import()` only, by whoever serves.
// Threat: a client that a stranger drives asks for more than it was offered. So it gets the tools that are named here and no others, each
// call goes the way of every call, and a failure tells what the pipeline tells a model.
import type { Readable, Writable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { errorMessage } from '../../base/errors.ts';
import type { JsonSchema } from '../../contracts/jsonTypes.ts';

export interface ServedResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool that clients of other programs may call. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** True where nothing changes by it. */
  readonly isReadOnly: boolean;
  /** Rejects where it failed. */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ServedResult>;
}

export interface ServeOptions {
  readonly tools: readonly ServedTool[];
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  /** What went wrong beside the answers. */
  readonly log: (text: string) => void;
}

export interface Serving {
  /** Resolves when the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves these tools over two streams, in both protocols. */
export function serveTools({ tools, input, output, version, log }: ServeOptions): Serving {
  const transport = new StdioServerTransport(input, output);
  const create = (): McpServer => {
    const served = new McpServer({ name: 'pincer', version }, { capabilities: { tools: {} } });
    // Schemas are given as they are: the layer above wants its own.
    const { server } = served;
    server.setRequestHandler('tools/list', () => ({
      tools: tools.map(({ name, description, parameters, isReadOnly }) => ({
        name,
        description,
        inputSchema: { ...parameters, type: 'object' as const },
        annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
      })),
    }));
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) return result({ text: `There is no tool "${params.name}".`, isError: true });
      try {
        return result(await tool.call(params.arguments ?? {}, mcpReq.signal));
      } catch (error) {
        return result({ text: errorMessage(error), isError: true });
      }
    });
    return served;
  };
  const handle = serveStdio(create, { transport, onerror: (error) => log(errorMessage(error)) });
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
  });
  return { ended, close: () => handle.close() };
}

function result({ text, isError }: ServedResult): {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError: boolean;
} {
  return { content: [{ type: 'text', text }], isError };
}
