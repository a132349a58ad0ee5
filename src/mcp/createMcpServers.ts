// Threat: a server is code of a stranger that runs with the user's rights, and its words are read by a model. So none starts before a person
// has seen what it runs, none of its tools is offered before they were seen as they are, both are compared again at every start, and
// what differs is withdrawn until it was seen.
import { createHash } from 'node:crypto';
import { raceAbort } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { Clock, FileSystem } from '../host/ports.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import type { ServerCall, Wire } from './connection/connection.ts';
import { agreementKey, createAgreements, type Agreement, type Agreements } from './createAgreements.ts';
import { defaultTimeoutMs, type LiveServer, type StartServer } from './createServerStarter.ts';
import {
  compareTools,
  findLookAlike,
  findToolWarnings,
  hashTools,
  isUnchanged,
  readTools,
  type KnownNames,
  type McpTool,
  type ReadTools,
  type ToolChanges,
} from './definitions.ts';
import { describeServerOrigin } from './describeInspection.ts';
import {
  describeLaunchChanges,
  findLaunchWarnings,
  hashLaunch,
  isSameRequest,
  type Launch,
  type ResolvedLaunch,
} from './launch.ts';
import type {
  Inspection,
  McpServers,
  NamedServer,
  ServerState,
  ServerToolView,
  ServerView,
} from './mcpServers.ts';
import { createServerTool, toolNameOf } from './toolOfServer.ts';

export interface McpServersDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** `~/.pincer`, or what PINCER_HOME names. */
  readonly home: string;
  /** Who is named now, the user's first: of two with one name the first counts. */
  readonly named: (fs: FileSystem) => Promise<readonly NamedServer[]>;
  /** Reads what a start would run now. @throws PincerError `mcp_program_missing` */
  readonly readLaunch: (server: NamedServer) => Promise<ResolvedLaunch>;
  /** Starts exactly that. */
  readonly start: StartServer;
  /** Tools of Pincer and of plugins. */
  readonly toolNames: () => readonly string[];
  readonly taint: SessionTaint;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly maxResultChars: number;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Lets go of what was left running. */
  readonly closed: () => Promise<void>;
}

const maxLogLines = 200;

/** A server that runs, and what it has listed. */
interface ListedServer extends LiveServer {
  tools: ReadTools;
  /** True once it said that its tools are others. */
  isStale: boolean;
}

/** One server, and all that is known of it. */
interface Entry {
  readonly key: string;
  server: NamedServer;
  agreed: Agreement | undefined;
  /** Those that were agreed to. */
  pinned: readonly McpTool[];
  live: ListedServer | undefined;
  starting: Promise<ListedServer> | undefined;
  /** What the last start would have run instead. */
  launchChanges: readonly string[] | undefined;
  /** How what it brought the last time differs. */
  changes: ToolChanges | undefined;
  failure: string | undefined;
  readonly log: string[];
}

export function createMcpServers(deps: McpServersDeps): McpServers {
  const changed: Emitter<void> = createEmitter();
  const agreements = createAgreements(deps.fs, deps.home, deps.report);
  const end = new AbortController();
  let entries: readonly Entry[] = [];
  const life = createServerLife(deps, { changed: () => changed.fire(), agreements, signal: end.signal });

  const find = (name: string): Entry => {
    const found = entries.find(({ server }) => server.name === name);
    if (found === undefined) throw unknownServer(name, entries);
    return found;
  };
  const knownNames = (besides: Entry): KnownNames => ({
    tools: deps.toolNames(),
    servers: entries
      .filter((each) => each !== besides)
      .map(({ server, pinned }) => ({ name: server.name, tools: pinned.map(({ name }) => name) })),
  });
  const agree = async (entry: Entry, agreement: Agreement | undefined): Promise<void> => {
    await agreements.set(entry.key, agreement);
    setAgreement(entry, agreement);
    changed.fire();
  };

  return {
    list: () => entries.map(viewOf),
    tools: () => entries.flatMap((entry) => toolsOf(deps, entry, life)),
    diagnostics: () => entries.flatMap((entry) => diagnosticsOf(entry, entries)),
    async refresh(fs = deps.fs) {
      const agreed = await agreements.read(fs);
      const all = await deps.named(fs);
      const named = firstOfName(all);
      const before = entries;
      for (const server of all) if (!named.includes(server)) deps.report(nameTaken(server));
      entries = named.map((server) => {
        const key = agreementKey(server.origin, server.name);
        const entry = before.find((each) => each.key === key) ?? newEntry(key, server);
        entry.server = server;
        setAgreement(entry, agreed.get(key));
        return entry;
      });
      const gone = before.filter((each) => !entries.includes(each));
      const stopped = entries.filter((entry) => entry.live !== undefined && !mayRun(entry));
      await Promise.all([...gone, ...stopped].map((entry) => life.stop(entry)));
      changed.fire();
    },
    async inspect(name) {
      const entry = find(name);
      const { launch } = await deps.readLaunch(entry.server);
      const mayStart = entry.agreed !== undefined && hashLaunch(entry.agreed.launch) === hashLaunch(launch);
      const lookAlike = findLookAlike(
        name,
        entries.map(({ server }) => server.name),
      );
      const seen = {
        name,
        origin: entry.server.origin,
        launch,
        launchHash: hashLaunch(launch),
        launchWarnings: [
          ...findLaunchWarnings(launch),
          ...(lookAlike === undefined ? [] : [`Its name looks like that of the server ${lookAlike}.`]),
        ],
        ...(entry.agreed === undefined || mayStart
          ? {}
          : { launchChanges: describeLaunchChanges(entry.agreed.launch, launch) }),
        mayStart,
      };
      if (!mayStart) return seen;
      const { tools } = await life.ensure(entry);
      return { ...seen, brings: bringsOf(entry, tools, knownNames(entry)) };
    },
    async agreeToStart(name, launchHash) {
      const entry = find(name);
      const { launch } = await deps.readLaunch(entry.server);
      if (hashLaunch(launch) !== launchHash) throw changedMeanwhile(name);
      const { tools = [], isListed = false } = entry.agreed ?? {};
      await life.stop(entry);
      await agree(entry, { launch, tools, isListed, agreedAt: deps.clock.now() });
      entry.launchChanges = undefined;
      entry.failure = undefined;
    },
    async agreeToTools(name, toolsHash) {
      const entry = find(name);
      const { live, agreed } = entry;
      if (agreed === undefined || live === undefined || hashTools(live.tools.tools) !== toolsHash)
        throw changedMeanwhile(name);
      const tools = live.tools.tools.map(({ raw }) => ({ ...raw }));
      await agree(entry, { ...agreed, tools, isListed: true, agreedAt: deps.clock.now() });
      entry.changes = undefined;
    },
    async restart(name) {
      const entry = find(name);
      await life.stop(entry);
      await life.ensure(entry);
    },
    stop: (name) => life.stop(find(name)),
    async forget(name) {
      const entry = find(name);
      await life.stop(entry);
      await agree(entry, undefined);
    },
    log: (name) => [...find(name).log],
    onDidChange: changed.event,
    async close() {
      end.abort();
      await Promise.all(entries.map((entry) => life.stop(entry)));
      await deps.closed();
      changed.dispose();
    },
  };
}

function newEntry(key: string, server: NamedServer): Entry {
  return {
    key,
    server,
    agreed: undefined,
    pinned: [],
    live: undefined,
    starting: undefined,
    launchChanges: undefined,
    changes: undefined,
    failure: undefined,
    log: [],
  };
}

function setAgreement(entry: Entry, agreement: Agreement | undefined): void {
  entry.agreed = agreement;
  entry.pinned = agreement === undefined ? [] : readTools(agreement.tools).tools;
}

function nameTaken({ name, origin }: NamedServer): Diagnostic {
  return {
    level: 'warn',
    code: 'mcp_name_taken',
    message: `The MCP server ${name} in ${describeServerOrigin(origin)} is left out: there is another one of that name.`,
    hint: 'Rename one of them.',
  };
}

function firstOfName(named: readonly NamedServer[]): readonly NamedServer[] {
  const isFirst = ({ name }: NamedServer, at: number): boolean =>
    named.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()) === at;
  return named.filter(isFirst);
}

/** As far as the config tells: it is on, and says what was agreed to. */
function mayRun({ server, agreed }: Entry): boolean {
  return (
    server.config.enabled !== false && agreed !== undefined && isSameRequest(server.config, agreed.launch)
  );
}

/** How servers start, are asked and end. */
interface ServerLife {
  /** The server, started where it does not run. @throws PincerError `mcp_*` */
  ensure(entry: Entry): Promise<ListedServer>;
  /** Calls a tool that was agreed to. @throws PincerError `mcp_tool_changed` and whatever the start throws */
  call(entry: Entry, tool: McpTool, call: ServerCall): Promise<unknown>;
  stop(entry: Entry): Promise<void>;
}

interface LifeParts {
  readonly changed: () => void;
  readonly agreements: Agreements;
  readonly signal: AbortSignal;
}

function createServerLife(deps: McpServersDeps, { changed, agreements, signal }: LifeParts): ServerLife {
  const note = (entry: Entry, text: string): void => {
    const lines = deps
      .redact(text)
      .split('\n')
      .map((line) => inertLine(line, 500));
    entry.log.push(...lines.filter((line) => line !== ''));
    entry.log.splice(0, entry.log.length - maxLogLines);
  };
  const listAgain = async (entry: Entry, live: ListedServer): Promise<void> => {
    live.isStale = false;
    live.tools = readTools(await live.connection.listTools(signal));
    entry.changes = changesOf(entry, live.tools);
    changed();
  };
  const start = async (entry: Entry): Promise<ListedServer> => {
    try {
      return await startOnce(entry, entry.agreed?.wire);
    } catch (error) {
      const isOlder = error instanceof PincerError && error.code === 'mcp_ended_at_probe';
      if (!isOlder || signal.aborted) throw error;
      // The same start, compared once more, for a server that ends at questions it does not know.
      return await startOnce(entry, 'legacy');
    }
  };
  const startOnce = async (entry: Entry, wire: Wire | undefined): Promise<ListedServer> => {
    const { server } = entry;
    const resolved = await deps.readLaunch(server);
    requireAgreed(entry, resolved.launch);
    const live = await deps.start(server, resolved, {
      wire,
      signal,
      log: (text) => note(entry, text),
      toolsChanged: () => {
        if (entry.live !== undefined) entry.live.isStale = true;
      },
      closed: () => {
        if (entry.live?.connection !== live.connection) return;
        entry.live = undefined;
        note(entry, 'It has ended.');
        changed();
      },
    });
    try {
      const tools = readTools(await live.connection.listTools(signal));
      entry.live = { ...live, tools, isStale: false };
      entry.changes = changesOf(entry, tools);
    } catch (error) {
      await live.end();
      throw error;
    }
    await rememberWire(agreements, entry, live.connection.wire);
    return entry.live;
  };
  const ensure: ServerLife['ensure'] = async (entry) => {
    if (entry.live !== undefined) return entry.live;
    entry.starting ??= start(entry);
    changed();
    try {
      const live = await entry.starting;
      entry.failure = undefined;
      return live;
    } catch (error) {
      entry.failure = inertLine(deps.redact(errorMessage(error)), 500);
      note(entry, entry.failure);
      throw error;
    } finally {
      entry.starting = undefined;
      changed();
    }
  };
  return {
    ensure,
    async call(entry, tool, call) {
      const live = await raceAbort(ensure(entry), call.signal);
      if (live.isStale) await raceAbort(listAgain(entry, live), call.signal);
      const now = live.tools.tools.find(({ name }) => name === tool.name);
      if (now?.hash !== tool.hash) throw toolChanged(entry.server.name, tool.name, now === undefined);
      return await live.connection.callTool(call);
    },
    async stop(entry) {
      await entry.starting?.catch(() => undefined);
      const { live } = entry;
      entry.live = undefined;
      await live?.end();
      if (live !== undefined) changed();
    },
  };
}

/** Compared immediately before the start. @throws PincerError `mcp_off`, `mcp_not_agreed`, `mcp_launch_changed` */
function requireAgreed(entry: Entry, launch: Launch): void {
  const { server, agreed } = entry;
  if (server.config.enabled === false)
    throw new PincerError('mcp_off', `The MCP server ${server.name} is switched off.`, {
      hint: 'Set its enabled to true.',
    });
  if (agreed === undefined)
    throw new PincerError('mcp_not_agreed', `Nobody has agreed to start the MCP server ${server.name}.`, {
      hint: look(server.name),
    });
  const changes = describeLaunchChanges(agreed.launch, launch);
  entry.launchChanges = changes.length === 0 ? undefined : changes;
  if (changes.length > 0)
    throw new PincerError(
      'mcp_launch_changed',
      `The MCP server ${server.name} was not started: it would run something else than what you agreed to (${inertLine(changes.join('; '), 300)}).`,
      { hint: look(server.name) },
    );
}

function look(name: string): string {
  return `The user can look at it: the MCP group of the Plugins view, or pincer mcp inspect ${name}.`;
}

function changesOf({ agreed, pinned }: Entry, { tools }: ReadTools): ToolChanges | undefined {
  if (agreed?.isListed !== true) return undefined;
  const changes = compareTools(pinned, tools);
  return isUnchanged(changes) ? undefined : changes;
}

/** A start that is known to speak the older wire need not be asked about the newer one. */
async function rememberWire(agreements: Agreements, entry: Entry, wire: Wire): Promise<void> {
  const { agreed } = entry;
  if (agreed === undefined || agreed.wire === wire) return;
  const known = { ...agreed, wire };
  entry.agreed = known;
  await agreements.set(entry.key, known);
}

function bringsOf(
  entry: Entry,
  { tools, problems }: ReadTools,
  known: KnownNames,
): NonNullable<Inspection['brings']> {
  const { agreed, pinned } = entry;
  const changes = agreed?.isListed === true ? compareTools(pinned, tools) : undefined;
  return {
    tools: tools.map((tool) => ({ tool, warnings: findToolWarnings(tool, known) })),
    toolsHash: hashTools(tools),
    problems,
    ...(changes === undefined ? {} : { changes }),
    isAgreed: changes !== undefined && isUnchanged(changes),
  };
}

function toolsOf(deps: McpServersDeps, entry: Entry, life: ServerLife): readonly AgentTool[] {
  const { server, agreed, pinned } = entry;
  if (agreed === undefined || !mayRun(entry)) return [];
  const launch = hashLaunch(agreed.launch);
  return pinned.map((tool) =>
    createServerTool({
      ...deps,
      server: server.name,
      tool,
      pin: createHash('sha256').update(launch).update(tool.hash).digest('hex').slice(0, 12),
      timeoutMs: server.config.timeoutMs ?? defaultTimeoutMs,
      call: (call) => life.call(entry, tool, call),
      unavailable: () => withdrawnBecause(entry, tool.name),
    }),
  );
}

/** Why a tool that was agreed to can't be had now, as the end of a sentence. */
function withdrawnBecause({ changes, launchChanges }: Entry, name: string): string | undefined {
  if (launchChanges !== undefined) return 'its server would run something else than what you agreed to';
  if (changes?.changed.some((each) => each.name === name) === true)
    return 'its definition is another one than what you agreed to';
  return changes?.removed.includes(name) === true ? 'its server has it no longer' : undefined;
}

function viewOf(entry: Entry): ServerView {
  const { server, pinned, changes, agreed, live } = entry;
  const { name, origin, config } = server;
  const problem = problemOf(entry);
  return {
    name,
    origin,
    target: inertLine('url' in config ? config.url : [config.command, ...(config.args ?? [])].join(' '), 200),
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
  };
}

function stateOf(entry: Entry): ServerState {
  const { server, agreed, live, starting, failure, launchChanges } = entry;
  if (server.config.enabled === false) return 'off';
  if (agreed === undefined) return 'new';
  if (launchChanges !== undefined || !isSameRequest(server.config, agreed.launch)) return 'changed';
  if (live !== undefined) return 'running';
  if (starting !== undefined) return 'starting';
  if (failure !== undefined) return 'failed';
  return agreed.isListed ? 'ready' : 'unlisted';
}

function problemOf(entry: Entry): string | undefined {
  const { changes, failure, launchChanges } = entry;
  switch (stateOf(entry)) {
    case 'new':
      return 'Nobody has agreed to start it.';
    case 'changed':
      return `It would run something else than what you agreed to${launchChanges === undefined ? '' : `: ${inertLine(launchChanges.join('; '), 300)}`}.`;
    case 'unlisted':
      return 'Nobody has agreed to its tools.';
    case 'failed':
      return failure;
    case 'off':
    case 'ready':
    case 'starting':
    case 'running':
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

function diagnosticsOf(entry: Entry, all: readonly Entry[]): readonly Diagnostic[] {
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

function unknownServer(name: string, entries: readonly Entry[]): PincerError {
  const names = entries.map(({ server }) => server.name).join(', ');
  return new PincerError('mcp_unknown', `There is no MCP server ${inertLine(name, 80)}.`, {
    hint: names === '' ? 'Add one with Pincer: Add MCP Server…, or pincer mcp add.' : `There are: ${names}.`,
  });
}

function changedMeanwhile(name: string): PincerError {
  return new PincerError('mcp_changed_meanwhile', `The MCP server ${name} has changed since it was shown.`, {
    hint: 'Look at it again.',
  });
}

function toolChanged(server: string, tool: string, isGone: boolean): PincerError {
  const what = isGone ? 'has it no longer' : 'defines it otherwise than the user agreed to';
  return new PincerError(
    'mcp_tool_changed',
    `${inertLine(tool, 80)} was not called: the MCP server ${server} ${what}.`,
    {
      hint: `Go on without it. ${look(server)}`,
    },
  );
}
