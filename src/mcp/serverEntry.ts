import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Agreement } from './createAgreements.ts';
import type { LiveServer } from './createServerStarter.ts';
import {
  compareTools,
  findLookAlike,
  hashTools,
  isUnchanged,
  readTools,
  type McpTool,
  type ReadTools,
  type ToolChanges,
} from './definitions.ts';
import { describeInvalidation, isSameRequest, type Invalidation } from './launch.ts';
import { createServerLog, type ServerLog } from './serverLog.ts';
import type { NamedServer, ServerState, ServerToolView, ServerView } from './mcpServers.ts';
import { secretsOf } from './readServers.ts';
import { toolNameOf } from './toolOfServer.ts';

/** A server that runs, and what it has listed. */
export interface ListedServer extends LiveServer {
  tools: ReadTools;
  /** True once it said that its tools are others. */
  isStale: boolean;
  /** The list that is under way since then. */
  listing: Promise<void> | undefined;
}

/** One server, and all that is known of it. */
export interface ServerEntry {
  readonly key: string;
  server: NamedServer;
  agreed: Agreement | undefined;
  /** Those that were agreed to. */
  pinned: readonly McpTool[];
  live: ListedServer | undefined;
  starting: Promise<ListedServer> | undefined;
  /** Aborts with the next stop: ends the start that is under way, with what it fetches, and calls on connections that were given up. */
  untilStop: AbortController | undefined;
  /** Why the start was not what was agreed to when it was looked at last. */
  invalidation: Invalidation | undefined;
  /** How what it brought the last time differs. */
  changes: ToolChanges | undefined;
  failure: string | undefined;
  /** True from the user's stop to the next start. */
  isStopped: boolean;
  /** Calls that run. */
  calls: number;
  /** That of the call which began last. */
  turn: string | undefined;
  /** What it asked people in that turn, and in those whose calls ran beside its own. */
  questions: number;
  /** When it asked lately, in milliseconds of the monotonic clock. */
  askedAt: readonly number[];
  /** True from the question that was too many lately to the next one that was not. */
  isMuted: boolean;
  /** Questions of it that were refused. */
  refusals: number;
  readonly log: ServerLog;
}

export function newEntry(key: string, server: NamedServer): ServerEntry {
  return {
    key,
    server,
    agreed: undefined,
    pinned: [],
    live: undefined,
    starting: undefined,
    untilStop: undefined,
    invalidation: undefined,
    changes: undefined,
    failure: undefined,
    isStopped: false,
    calls: 0,
    turn: undefined,
    questions: 0,
    askedAt: [],
    isMuted: false,
    refusals: 0,
    log: createServerLog(),
  };
}

export function setAgreement(entry: ServerEntry, agreement: Agreement | undefined): void {
  entry.agreed = agreement;
  entry.pinned = agreement === undefined ? [] : readTools(agreement.tools).tools;
}

/** What a look at the start brought; where it is as it was agreed to again, the start that was refused is no failure any more. */
export function setInvalidation(entry: ServerEntry, invalidation: Invalidation | undefined): void {
  if (invalidation === undefined && entry.invalidation !== undefined) entry.failure = undefined;
  entry.invalidation = invalidation;
}

/** As far as the config tells: it is on, and says what was agreed to. */
export function mayRun({ server, agreed }: ServerEntry): boolean {
  return (
    server.config.enabled !== false && agreed !== undefined && isSameRequest(server.config, agreed.launch)
  );
}

export function changesOf({ agreed, pinned }: ServerEntry, { tools }: ReadTools): ToolChanges | undefined {
  if (agreed?.isListed !== true) return undefined;
  const changes = compareTools(pinned, tools, agreed.without);
  return isUnchanged(changes) ? undefined : changes;
}

/** Why a tool that was agreed to can't be had now, as the end of a sentence. */
export function withdrawnBecause({ changes, invalidation }: ServerEntry, name: string): string | undefined {
  if (invalidation !== undefined) return `its server does not start: ${describeInvalidation(invalidation)}`;
  if (changes?.changed.some((each) => each.name === name) === true)
    return 'its definition is another one than what you agreed to';
  return changes?.removed.includes(name) === true ? 'its server has it no longer' : undefined;
}

export function viewOf(entry: ServerEntry): ServerView {
  const { server, pinned, changes, agreed, live } = entry;
  const { name, origin, config } = server;
  const problem = problemOf(entry);
  return {
    name,
    origin,
    isAddress: 'url' in config,
    target: inertLine('url' in config ? config.url : [config.command, ...(config.args ?? [])].join(' '), 200),
    secrets: secretsOf(config).map(({ secret }) => secret),
    state: stateOf(entry),
    ...(problem === undefined ? {} : { problem }),
    tools: pinned.map((tool): ServerToolView => {
      const withdrawn = withdrawnBecause(entry, tool.name);
      return {
        name: tool.name,
        toolName: toolNameOf(name, tool.name),
        description: inertLine(tool.description, 300),
        ...(withdrawn === undefined ? {} : { withdrawn }),
      };
    }),
    newTools:
      changes?.added ?? (agreed?.isListed === true ? [] : (live?.tools.tools.map((each) => each.name) ?? [])),
    leftOut: agreed?.without ?? [],
    ...(live === undefined || changes === undefined || changes.changed.length === 0
      ? {}
      : { change: changeOf(live.tools.tools, changes) }),
  };
}

/** Its id is that of the changed tools alone: others that come and go make it no other change. */
function changeOf(now: readonly McpTool[], { changed }: ToolChanges): NonNullable<ServerView['change']> {
  const tools = changed.map(({ name }) => name);
  return { tools, id: hashTools(now.filter(({ name }) => tools.includes(name))) };
}

function stateOf(entry: ServerEntry): ServerState {
  const { server, agreed, live, starting, failure, invalidation, isStopped } = entry;
  if (server.config.enabled === false) return 'off';
  if (agreed === undefined) return 'new';
  if (invalidation !== undefined || !isSameRequest(server.config, agreed.launch)) return 'changed';
  if (live !== undefined) return 'running';
  if (starting !== undefined) return 'starting';
  if (failure !== undefined) return 'failed';
  if (!agreed.isListed) return 'unlisted';
  return isStopped ? 'stopped' : 'ready';
}

function problemOf(entry: ServerEntry): string | undefined {
  const { changes, failure, invalidation } = entry;
  switch (stateOf(entry)) {
    case 'new':
      return 'Nobody has agreed to start it.';
    case 'changed':
      return invalidation === undefined
        ? 'It would run something else than what you agreed to.'
        : `It does not start: ${describeInvalidation(invalidation)}.`;
    case 'unlisted':
      return 'Nobody has agreed to its tools.';
    case 'failed':
      return failure;
    case 'off':
    case 'ready':
    case 'stopped':
    case 'starting':
    case 'running':
      // One that runs fails where it wants a person to sign in again, or does not answer.
      if (failure !== undefined) return failure;
      return changes === undefined ? undefined : describeToolChanges(changes);
  }
}

function describeToolChanges({ added, removed, changed }: ToolChanges): string {
  const names = (what: string, list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`${what}: ${inertLine(list.join(', '), 200)}`];
  return `Its tools are others than those you agreed to (${[
    ...names(
      'changed',
      changed.map(({ name }) => name),
    ),
    ...names('new', added),
    ...names('gone', removed),
  ].join('; ')}).`;
}

export function diagnosticsOf(entry: ServerEntry, all: readonly ServerEntry[]): readonly Diagnostic[] {
  const { name, config } = entry.server;
  if (config.enabled === false) return [];
  const problem = problemOf(entry);
  const isNew = ['new', 'unlisted'].includes(stateOf(entry));
  const lookAlike = findLookAlike(
    name,
    all.map(({ server }) => server.name),
  );
  return [
    ...(problem === undefined
      ? []
      : [
          {
            level: isNew ? 'info' : 'warn',
            code: isNew ? 'mcp_not_agreed' : stateOf(entry) === 'failed' ? 'mcp_failed' : 'mcp_changed',
            message: `MCP server ${name}: ${problem}`,
            hint: look(name),
          } as const,
        ]),
    ...(lookAlike === undefined
      ? []
      : [
          {
            level: 'warn',
            code: 'mcp_look_alike',
            message: `The names of the MCP servers ${name} and ${lookAlike} look alike.`,
            hint: 'Rename or remove one of them.',
          } as const,
        ]),
  ];
}

export function look(name: string): string {
  return `The user can look at it: the MCP group of the Plugins view, or pincer mcp inspect ${name}.`;
}
