import { raceAbort, throwIfAborted } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { Clock } from '../host/ports.ts';
import type { Wire } from './connection/connection.ts';
import type { Agreement, Agreements } from './createAgreements.ts';
import type { FetchPackage } from './createPackageFetcher.ts';
import type { StartServer } from './createServerStarter.ts';
import { readTools, type McpTool } from './definitions.ts';
import type { InstalledPackage } from './installedPackage.ts';
import { readFetched } from './readFetched.ts';
import { describeInvalidation, findInvalidation, type Launch, type ResolvedLaunch } from './launch.ts';
import type { NamedServer } from './mcpServers.ts';
import { createBoundedQuestions, type BoundedQuestionsDeps } from './createBoundedQuestions.ts';
import { changesOf, look, setInvalidation, type ServerEntry, type ListedServer } from './serverEntry.ts';
import { leftOut, type TurnCall } from './toolOfServer.ts';

/** How servers start, are asked and end. */
export interface ServerLife {
  /** The server, started where it does not run. @throws PincerError `mcp_*` */
  ensure(entry: ServerEntry): Promise<ListedServer>;
  /** Does `work` with the server, and again with a new connection where nobody took it: one at an address may have been started anew. */
  during<T>(entry: ServerEntry, work: (live: ListedServer) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Calls a tool that was agreed to. @throws PincerError `mcp_tool_changed`, `tool_left_out` and whatever the start throws */
  call(entry: ServerEntry, tool: McpTool, call: TurnCall): Promise<unknown>;
  /** Ends it, and calls that still run on a connection that was given up; a start that is under way is cancelled, with what it fetches. */
  stop(entry: ServerEntry): Promise<void>;
}

export interface LifeDeps extends BoundedQuestionsDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Reads what a start would run now. @throws PincerError `mcp_program_missing` */
  readonly readLaunch: (server: NamedServer) => Promise<ResolvedLaunch>;
  /** Has fetched what has to be there before a start. */
  readonly fetchPackage: FetchPackage;
  /** Starts exactly that. */
  readonly start: StartServer;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

interface LifeParts {
  readonly changed: () => void;
  /** Adds to the agreement of an entry what a start has shown, and sets it as it is then. @throws what `Agreements.amend` does */
  readonly amend: (
    entry: ServerEntry,
    launch: Launch,
    shown: Parameters<Agreements['amend']>[2],
  ) => Promise<void>;
  readonly signal: AbortSignal;
}

export function createServerLife(deps: LifeDeps, { changed, amend, signal }: LifeParts): ServerLife {
  const note = (entry: ServerEntry, text: string): void => entry.log.note(deps.redact(text));
  const questions = createBoundedQuestions(deps, note);
  /** What Pincer itself saw of it, with the time. */
  const noteEvent = (entry: ServerEntry, text: string): void =>
    note(entry, `[${new Date(deps.clock.now()).toISOString().slice(11, 19)} UTC] ${text}`);
  /**
   * Lists anew where it said that its tools are others. Parallel calls share the list that is under way, and wait for the next one where
   * it said so again meanwhile. It can say so without end: the second list began after the call did, and is good enough for it.
   */
  const bringUpToDate = async (entry: ServerEntry, live: ListedServer): Promise<void> => {
    for (let lists = 0; lists < 2 && (live.isStale || live.listing !== undefined); lists += 1) {
      live.listing ??= listAgain(entry, live).finally(() => (live.listing = undefined));
      await live.listing;
    }
  };
  const listAgain = async (entry: ServerEntry, live: ListedServer): Promise<void> => {
    live.isStale = false;
    try {
      live.tools = readTools(await live.connection.listTools(signal));
    } catch (error) {
      // What it listed before counts no more, and nothing is called by it.
      live.isStale = true;
      setFailure(entry, error);
      throw error;
    }
    entry.changes = changesOf(entry, live.tools);
    changed();
  };
  const start = async (entry: ServerEntry, cancelled: AbortSignal): Promise<ListedServer> => {
    try {
      return await startOnWire(entry, AbortSignal.any([signal, cancelled]));
    } catch (error) {
      throw cancelled.aborted ? stoppedMeanwhile(entry.server.name) : error;
    }
  };
  const startOnWire = async (entry: ServerEntry, until: AbortSignal): Promise<ListedServer> => {
    try {
      return await startOnce(entry, entry.agreed?.wire, until);
    } catch (error) {
      const isOlder = error instanceof PincerError && error.code === 'mcp_ended_at_probe';
      if (!isOlder || until.aborted) throw error;
      // The same start, compared once more, for a server that ends at questions it does not know.
      return await startOnce(entry, 'legacy', until);
    }
  };
  /** What is to be started, compared, with the package that it wants. */
  const readWithPackage = async (entry: ServerEntry, until: AbortSignal): Promise<ResolvedLaunch> => {
    const read = async (): Promise<ResolvedLaunch> => {
      const resolved = await deps.readLaunch(entry.server);
      requireAgreed(entry, resolved.launch, deps.clock.now());
      return resolved;
    };
    const resolved = await read();
    if (resolved.fetch === undefined) return resolved;
    noteEvent(entry, `It fetches the package ${inertLine(resolved.fetch.name, 200)}.`);
    const log = (text: string): void => entry.log.hear(deps.redact(text));
    const isMissing = async (): Promise<boolean> => (await read()).fetch !== undefined;
    await deps.fetchPackage(entry.server, resolved.fetch, { signal: until, log, isMissing });
    const fetched = await read();
    if (fetched.fetch !== undefined) throw packageMissing(fetched.fetch.name);
    return fetched;
  };
  const startOnce = async (
    entry: ServerEntry,
    wire: Wire | undefined,
    until: AbortSignal,
  ): Promise<ListedServer> => {
    const { server } = entry;
    const resolved = await readWithPackage(entry, until);
    throwIfAborted(until);
    let listed: ListedServer | undefined;
    let isStale = false;
    const live = await deps.start(server, resolved, {
      wire,
      signal: until,
      log: (text) => entry.log.hear(deps.redact(text)),
      answer: (params, asked) => questions.answer(entry, params, asked),
      open: (address, asked) => questions.askToSignIn(entry, address, asked),
      toolsChanged: () => {
        // While the first list is under way, that one may already be out of date.
        if (listed === undefined) isStale = true;
        else listed.isStale = true;
      },
      closed: (why) => {
        // One that ends at once does so before there is anything of it here.
        if (listed === undefined || entry.live !== listed) return;
        entry.live = undefined;
        noteEvent(entry, 'It has ended.');
        if (why !== undefined) setFailure(entry, why);
        changed();
      },
    });
    try {
      await remember(entry, resolved.launch, live.connection.wire);
      const tools = readTools(await live.connection.listTools(until));
      listed = { ...live, tools, isStale, listing: undefined };
      entry.live = listed;
      noteEvent(
        entry,
        `It has started; it speaks the protocol of ${live.connection.protocol} and lists ${String(tools.tools.length)} tools.`,
      );
      entry.changes = changesOf(entry, tools);
    } catch (error) {
      await live.end();
      throw error;
    }
    return listed;
  };
  /**
   * What only a start shows is a part of the agreement from then on. What a launcher has fetched is known only once it has: the first is what
   * was agreed to, and any other ends here. A start that is known to speak the older wire need not be asked about the newer one.
   */
  const remember = async (entry: ServerEntry, before: Launch, wire: Wire): Promise<void> => {
    const isFetched = before.kind === 'program' && readFetched(before.command, before.args) !== undefined;
    const { launch } = isFetched ? await deps.readLaunch(entry.server) : { launch: before };
    const agreed = requireAgreed(entry, launch, deps.clock.now());
    const installed = firstInstalled(agreed.launch, launch);
    if (installed === undefined && agreed.wire === wire) return;
    const shown = { wire, ...(installed === undefined ? {} : { launch: { ...agreed.launch, installed } }) };
    try {
      await amend(entry, agreed.launch, shown);
    } catch (error) {
      // Without the wire the next start asks once more. Without the package the next one could be another.
      if (installed !== undefined) throw error;
      note(entry, `The protocol that it speaks was not saved: ${errorMessage(error)}`);
    }
    requireAgreed(entry, launch, deps.clock.now());
    if (installed !== undefined)
      note(entry, `It runs ${installed.name} ${installed.version}; another content asks you again.`);
  };
  const setFailure = (entry: ServerEntry, error: unknown): void => {
    const said = typeof error === 'string' ? error : errorMessage(error);
    const failure = error === undefined ? undefined : inertLine(deps.redact(said), 500);
    if (failure === entry.failure) return;
    entry.failure = failure;
    if (failure !== undefined) note(entry, failure);
    changed();
  };
  const ensure: ServerLife['ensure'] = async (entry) => {
    if (entry.live !== undefined) return entry.live;
    if (entry.starting === undefined) {
      entry.untilStop ??= new AbortController();
      entry.starting = start(entry, entry.untilStop.signal);
    }
    const { starting } = entry;
    entry.isStopped = false;
    changed();
    try {
      const live = await starting;
      entry.failure = undefined;
      return live;
    } catch (error) {
      // Who stopped it knows why it does not run.
      if (!(error instanceof PincerError && error.code === 'mcp_stopped')) setFailure(entry, error);
      throw error;
    } finally {
      // Of all who wait for one start the last may see the next one under way.
      if (entry.starting === starting) entry.starting = undefined;
      changed();
    }
  };
  const during: ServerLife['during'] = async (entry, work, until = signal) => {
    const connected = (): Promise<ListedServer> => raceAbort(ensure(entry), until);
    const live = await connected();
    try {
      return await work(live);
    } catch (error) {
      if (!(error instanceof PincerError && error.code === 'mcp_gone')) throw error;
    }
    return await work(await connected());
  };
  const callOnce = async (
    entry: ServerEntry,
    live: ListedServer,
    tool: McpTool,
    call: TurnCall,
  ): Promise<unknown> => {
    await raceAbort(bringUpToDate(entry, live), call.signal);
    const now = live.tools.tools.find(({ name }) => name === tool.name);
    // A turn has its tools from its beginning on, and a person may decide otherwise meanwhile.
    const isLeftOut = !entry.pinned.some(({ name }) => name === tool.name);
    if (now !== undefined && isLeftOut) throw leftOut(entry.server.name, tool.name);
    if (now?.hash !== tool.hash) throw toolChanged(entry.server.name, tool.name, now === undefined);
    // Parallel calls share what it may ask: else each would let it begin anew.
    if (entry.calls === 0 && entry.turn !== call.turn) entry.questions = 0;
    entry.turn = call.turn;
    entry.calls += 1;
    const begun = deps.clock.monotonic();
    const noteCall = (how: string): void => {
      const ms = Math.round(deps.clock.monotonic() - begun);
      noteEvent(entry, `Call of ${inertLine(tool.name, 80)}: ${how} after ${String(ms)} ms.`);
    };
    try {
      const result = await live.connection.callTool(call);
      noteCall('answered');
      setFailure(entry, undefined);
      return result;
    } catch (error) {
      noteCall(call.signal.aborted ? 'taken back' : 'failed');
      if (error instanceof PincerError && /^mcp_(?:sign_in|no_answer)/u.test(error.code))
        setFailure(entry, error);
      throw error;
    } finally {
      entry.calls -= 1;
    }
  };
  return {
    ensure,
    during,
    call: (entry, tool, call) => during(entry, (live) => callOnce(entry, live, tool, call), call.signal),
    async stop(entry) {
      const { starting } = entry;
      entry.untilStop?.abort();
      entry.untilStop = undefined;
      await starting?.catch(() => undefined);
      const { live } = entry;
      entry.live = undefined;
      if (live === undefined && starting === undefined) return;
      await live?.end();
      noteEvent(entry, 'It was stopped.');
      changed();
    },
  };
}

/** Compared immediately before the start. @throws PincerError `mcp_off`, `mcp_not_agreed`, `mcp_launch_changed` */
function requireAgreed(entry: ServerEntry, launch: Launch, now: number): Agreement {
  const { server, agreed } = entry;
  if (server.config.enabled === false)
    throw new PincerError('mcp_off', `The MCP server ${server.name} is switched off.`, {
      hint: 'Set its enabled to true.',
    });
  if (agreed === undefined)
    throw new PincerError('mcp_not_agreed', `Nobody has agreed to start the MCP server ${server.name}.`, {
      hint: look(server.name),
    });
  setInvalidation(entry, findInvalidation(agreed, launch, now));
  if (entry.invalidation !== undefined)
    throw new PincerError(
      'mcp_launch_changed',
      `The MCP server ${server.name} was not started: ${describeInvalidation(entry.invalidation)}.`,
      { hint: look(server.name) },
    );
  return agreed;
}

/** The package of a start, where none was known when it was agreed to. Pure. */
function firstInstalled(agreed: Launch, launch: Launch): InstalledPackage | undefined {
  const isKnown = agreed.kind === 'program' && agreed.installed !== undefined;
  return launch.kind === 'program' && !isKnown ? launch.installed : undefined;
}

function stoppedMeanwhile(name: string): PincerError {
  return new PincerError('mcp_stopped', `The MCP server ${name} was stopped before it had started.`, {
    hint: 'Go on without it, or ask the user what to do instead.',
  });
}

function packageMissing(name: string): PincerError {
  return new PincerError(
    'mcp_package_not_fetched',
    `The package ${inertLine(name, 200)} is not in what was fetched.`,
    {
      hint: 'Check its name in the entry of the server.',
    },
  );
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
