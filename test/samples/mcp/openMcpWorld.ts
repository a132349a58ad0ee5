import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolResultMessage } from '../../../src/contracts/message.ts';
import type { McpServers } from '../../../src/mcp/mcpServers.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
  type TestTurn,
} from '../../builders/openTestRuntime.ts';

export interface McpWorld extends AsyncDisposable {
  readonly servers: McpServers;
  readonly runtime: TestRuntime;
  /** Absolute path of the folder with the state file of the server. */
  readonly folder: string;
  /** Makes the server behave so from its next request on. */
  does(...behaviour: readonly string[]): Promise<void>;
  /** Agrees to the start and to all tools as they are now. */
  agree(): Promise<void>;
  /** The person allows the first call that waits. */
  allow(): void;
  /** One turn in which the model calls tools of the server, one after the other, and what each brought. */
  call(...calls: readonly ServerCall[]): Promise<CalledTurn>;
  /** What the server wrote down: `started 12`, then what it was asked. */
  asked(): Promise<readonly string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ServerCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface CalledTurn extends TestTurn {
  /** The text of each result, as the model reads it. */
  readonly texts: readonly string[];
  readonly results: readonly ToolResultMessage[];
}

export interface McpWorldOptions extends Omit<TestRuntimeOptions, 'answer'> {
  /** What a person answers to every question; `none` leaves it open. Default: allow-once. */
  readonly answer?: TestRuntimeOptions['answer'] | 'none';
  /** How the server behaves from its start on. */
  readonly does?: readonly string[];
  readonly waitMs?: number;
  /** Keys of its entry in the config, beside command and arguments. */
  readonly server?: Readonly<Record<string, unknown>>;
  /** Its entry in the config, in place of the program of the fixture. */
  readonly program?: Readonly<Record<string, unknown>>;
  /** Other servers, by name. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** Other keys of `mcp` in the config. */
  readonly mcp?: Readonly<Record<string, unknown>>;
  /** False leaves it without any agreement. Default true. */
  readonly isAgreed?: boolean;
}

const fixture = join(import.meta.dirname, 'fixture', 'server.mjs');

/** The whole runtime with one MCP server, `files`, a program that does what the test says. */
export async function openMcpWorld(options: McpWorldOptions = {}): Promise<McpWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-mcp-')));
  const stateFile = join(folder, 'state');
  const write = (does: readonly string[]): Promise<void> =>
    writeFile(stateFile, JSON.stringify({ does, waitMs: options.waitMs ?? 0 }));
  await write(options.does ?? []);
  const { answer = 'allow-once', ...others } = options;
  const runtime = await openTestRuntime({
    isRecorded: false,
    ...others,
    ...(answer === 'none' ? {} : { answer }),
    config: {
      ...(options.config as object | undefined),
      mcp: {
        ...options.mcp,
        servers: {
          files: {
            ...(options.program ?? { command: process.execPath, args: [fixture, stateFile] }),
            ...options.server,
          },
          ...options.others,
        },
      },
    },
  });
  const servers = runtime.runtime.mcp;
  const world: McpWorld = {
    servers,
    runtime,
    folder,
    does: (...behaviour) => write(behaviour),
    async agree() {
      const first = await servers.inspect('files');
      await servers.agreeToStart('files', first.launchHash);
      const { brings } = await servers.inspect('files');
      await servers.agreeToTools('files', brings!.toolsHash);
    },
    allow() {
      const { approvals } = runtime.runtime;
      const { id } = approvals.pending()[0]!;
      approvals.noteShownWhole(id, 'call');
      approvals.resolve(id, 'allow-once', 'chat');
    },
    async call(...calls) {
      const toolCalls = calls.map(({ tool, args = {} }) => ({
        name: `mcp__files__${tool}`,
        arguments: args,
      }));
      const script = [...toolCalls.map((call) => ({ toolCalls: [call] })), { text: 'Done.' }];
      const turn = await runtime.say('Go.', script);
      const results = turn.events.flatMap((event) => (event.type === 'tool_ended' ? [event.result] : []));
      const texts = results.map(({ content }) =>
        content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      );
      return { ...turn, results, texts };
    },
    async asked() {
      const text = await readFile(`${stateFile}.log`, 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
  try {
    if (options.isAgreed !== false) await world.agree();
  } catch (error) {
    // Nobody gets it who could end it.
    await world[Symbol.asyncDispose]();
    throw error;
  }
  return world;
}
