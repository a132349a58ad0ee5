import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { AgentTool } from '../../src/contracts/tool.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import { createNodeHost } from '../../src/host/node/createNodeHost.ts';
import { createProcessTransport, openConnection } from '../../src/mcp/connection/index.ts';
import { readTools } from '../../src/mcp/definitions.ts';
import { areTooMany, createSearchTool, deferTools } from '../../src/mcp/deferTools.ts';
import { createServerTool } from '../../src/mcp/toolOfServer.ts';
import { createToolCatalog } from '../../src/tools/catalog.ts';
import { createParamsValidator } from '../../src/tools/createParamsValidator.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

const fixture = join(import.meta.dirname, '..', 'samples', 'mcp', 'fixture', 'server.mjs');
const calls = 300;
const warmUpCalls = 50;

/** What Pincer's client adds to a call beside the bare library (the pipeline around every call has a bench of its own), and what very many tools cost the first message. */
export const bench: Bench = {
  name: 'mcp',
  needsEditor: false,
  async run() {
    return [...(await callFigures()), ...manyToolFigures()];
  },
};

/** The two take turns, so that what else the machine does falls on both. */
async function callFigures(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-bench-mcp-'));
  const state = join(folder, 'state');
  await writeFile(state, '{ "does": [] }');
  const host = createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  const bare = new Client({ name: 'bench', version: '1' });
  const args = { text: 'day one\n'.repeat(50) };
  try {
    await bare.connect(
      new StdioClientTransport({ command: process.execPath, args: [fixture, state], stderr: 'ignore' }),
    );
    const running = await host.processes.start({
      file: process.execPath,
      args: [fixture, state],
      cwd: folder,
      env: {},
      hasInput: true,
    });
    const connection = await openConnection(
      createProcessTransport(running, { clock: host.clock, log: () => undefined }),
      {
        version: '1',
        clock: host.clock,
        connectMs: 10_000,
        wire: 'legacy',
        signal: new AbortController().signal,
        answer: () => Promise.resolve({ action: 'decline' }),
        toolsChanged: () => undefined,
        closed: () => undefined,
        log: () => undefined,
      },
    );
    const [defined] = readTools(await connection.listTools(new AbortController().signal)).tools;
    if (defined === undefined) throw new Error('The server of the bench has no tool.');
    const tool = createServerTool({
      ...plainDeps,
      server: 'files',
      tool: defined,
      call: (call) => connection.callTool(call),
    });
    const samples = { bare: [] as number[], ours: [] as number[] };
    for (let at = 0; at < warmUpCalls + calls; at += 1) {
      const started = performance.now();
      await bare.callTool({ name: 'echo', arguments: args });
      const between = performance.now();
      await callTool(tool, args);
      if (at < warmUpCalls) continue;
      samples.bare.push(between - started);
      samples.ours.push(performance.now() - between);
    }
    await connection.close();
    const added = samples.ours.map((each, at) => each - (samples.bare[at] ?? 0));
    return [
      medianFigure('call, bare library: median', 'ms', samples.bare),
      medianFigure('call, Pincer without its pipeline: median', 'ms', samples.ours),
      { ...medianFigure('added to a call by client, fence and cut: median', 'ms', added), below: 5 },
    ];
  } finally {
    await bare.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const plainDeps = {
  pin: 'p',
  timeoutMs: 10_000,
  unavailable: () => undefined,
  taint: { enter: () => undefined, read: () => undefined, isTainted: () => false } as never,
  redact: (text: string) => text,
  maxResultChars: 16_000,
};

async function callTool(tool: AgentTool, params: Readonly<Record<string, unknown>>): Promise<void> {
  const turn = { sessionId: 's', sessionKey: 'k', runId: 'r', agentId: 'main' };
  const part = { type: 'toolCall', id: 'c', name: tool.name, arguments: params } as const;
  const prepared = await tool.prepare({ part, turn } as never, params);
  await prepared.run({
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    rejected: new Map() as never,
    consent: 'person',
  });
}

/** Twenty servers with twenty tools each, as they were agreed to: what a first message waits for. */
function manyToolFigures(): readonly Figure[] {
  const tools = Array.from({ length: 400 }, (_, at) =>
    createServerTool({
      ...plainDeps,
      server: `server-${String(at % 20)}`,
      tool: readTools([
        {
          name: `tool_${String(at)}`,
          description: `Does the ${String(at)}th thing with a file of the workspace.`,
          inputSchema: {
            type: 'object',
            properties: { path: { type: 'string' }, depth: { type: 'integer' } },
            required: ['path'],
          },
        },
      ]).tools[0]!,
      call: () => Promise.reject(new Error('Nothing is called.')),
    }),
  );
  const layout = { roots: ['/w'], platform: 'linux' } as const;
  const started = performance.now();
  const validator = createParamsValidator();
  const create = (core: readonly AgentTool[]): ReturnType<typeof createToolCatalog> =>
    createToolCatalog({ core, plugins: tools, policy: [], isReadOnly: false, validator });
  const usable = create([]).tools();
  if (!areTooMany(usable, { maxTools: 40, maxToolShare: 0.1 }, 200_000)) throw new Error('Not too many.');
  const found = new Set<string>();
  const offered = deferTools(create([createSearchTool(usable, found, () => layout)]), found).tools();
  const took = performance.now() - started;
  if (offered.length !== 1) throw new Error(`The bench offers ${String(offered.length)} tools.`);
  return [
    {
      name: '400 tools of 20 servers, agreed to: first catalog and search',
      value: took,
      unit: 'ms',
      below: 300,
    },
  ];
}
