// Threat: a server is code of a stranger that runs with the user's rights, and its words are read by a model. So none starts before a person
// has seen what it runs, none of its tools is offered before they were seen as they are, both are compared again at every start, and
// what differs is withdrawn until it was seen.
import { createHash } from 'node:crypto';
import { toDisposable } from '../base/disposable.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { createEmitter, type Emitter } from '../base/event.ts';
import { stableStringify } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { AgentTool } from '../contracts/tool.ts';
import type { FileSystem, Secrets } from '../host/ports.ts';
import type { SessionTaint } from '../net/createSessionTaint.ts';
import { signInSecret } from './connection/connection.ts';
import { agreementKey, createAgreements, type Agreement, type AgreementsDeps } from './createAgreements.ts';
import { createServerLife, type LifeDeps, type ServerLife } from './createServerLife.ts';
import { createServerOffers } from './createServerOffers.ts';
import { defaultTimeoutMs } from './createServerStarter.ts';
import {
  compareTools,
  findLookAlike,
  findToolWarnings,
  hashTools,
  isUnchanged,
  type KnownNames,
  type McpTool,
  type ReadTools,
} from './definitions.ts';
import { canBeShown, describeServerOrigin } from './describeInspection.ts';
import { findInvalidation, findLaunchWarnings, hashLaunch } from './launch.ts';
import type { Inspection, McpServers, NamedServer } from './mcpServers.ts';
import {
  diagnosticsOf,
  look,
  mayRun,
  newEntry,
  setAgreement,
  setInvalidation,
  viewOf,
  withdrawnBecause,
  type ServerEntry,
} from './serverEntry.ts';
import type { AskPerson } from './serverQuestion.ts';
import { createLeftOutTool, createServerTool } from './toolOfServer.ts';

interface McpServersDeps extends Omit<LifeDeps, 'askPerson' | 'clock'>, AgreementsDeps {
  /** Who is named now, the user's first: of two with one name the first counts. */
  readonly named: (fs: FileSystem) => Promise<readonly NamedServer[]>;
  /** Tools of Pincer and of plugins. */
  readonly toolNames: () => readonly string[];
  readonly taint: SessionTaint;
  readonly secrets: Pick<Secrets, 'delete'>;
  readonly maxResultChars: number;
  /** Lets go of what was left running. */
  readonly closed: () => Promise<void>;
}

export function createMcpServers(deps: McpServersDeps): McpServers {
  const changed: Emitter<void> = createEmitter();
  const agreements = createAgreements(deps);
  const end = new AbortController();
  let entries: readonly ServerEntry[] = [];
  /** What marked the file whose agreements all entries have; undefined where one has its own from elsewhere. */
  let takenOver: string | undefined;
  const askers: AskPerson[] = [];
  const life = createServerLife(
    { ...deps, askPerson: () => askers.at(-1) },
    {
      changed: () => changed.fire(),
      async amend(entry, launch, shown) {
        setAlone(entry, await agreements.amend(entry.key, launch, shown));
      },
      signal: end.signal,
    },
  );

  const callAsAgreed: ServerLife['call'] = async (entry, tool, call) => {
    await takeOver();
    return await life.call(entry, tool, call);
  };
  const made: MadeTools = new WeakMap();

  const find = (name: string): ServerEntry => {
    const found = entries.find(({ server }) => server.name === name);
    if (found === undefined) throw unknownServer(name, entries);
    return found;
  };
  const knownNames = (besides: ServerEntry): KnownNames => ({
    tools: deps.toolNames(),
    servers: entries
      .filter((each) => each !== besides)
      .map(({ server, pinned }) => ({ name: server.name, tools: pinned.map(({ name }) => name) })),
  });
  /** What another window has changed meanwhile, of this server or of others, is still to be taken over. */
  const setAlone = (entry: ServerEntry, agreement: Agreement | undefined): void => {
    setAgreement(entry, agreement);
    takenOver = undefined;
  };
  const agree = async (entry: ServerEntry, agreement: Agreement | undefined): Promise<void> => {
    await agreements.set(entry.key, agreement);
    setAlone(entry, agreement);
    entry.invalidation = undefined;
    entry.failure = undefined;
    changed.fire();
  };

  const stopDisallowed = async (moved?: ReadonlySet<ServerEntry>): Promise<void> => {
    const stopped = entries.filter(
      (entry) =>
        (entry.live !== undefined || entry.starting !== undefined) &&
        (!mayRun(entry) || moved?.has(entry) === true),
    );
    await Promise.all(stopped.map((entry) => life.stop(entry)));
  };
  /** What another window agreed to or took back counts from the next call on: the stamp of the file tells whether there is any of it. */
  const takeOver = async (): Promise<void> => {
    if ((await agreements.stamp()) === takenOver) return;
    const { all, stamp } = await agreements.read();
    for (const entry of entries) setAgreement(entry, all.get(entry.key));
    takenOver = stamp;
    await stopDisallowed();
    changed.fire();
  };
  const lookAt = async (entry: ServerEntry): Promise<void> => {
    try {
      const { launch } = await deps.readLaunch(entry.server);
      setInvalidation(entry, entry.agreed && findInvalidation(entry.agreed, launch, deps.clock.now()));
    } catch (error) {
      entry.failure = inertLine(deps.redact(errorMessage(error)), 500);
    }
  };
  const look: McpServers['look'] = async (which) => {
    const wanted = entries.filter((entry) =>
      which === 'all' ? entry.live === undefined && mayRun(entry) : entry.invalidation !== undefined,
    );
    await Promise.all(wanted.map(lookAt));
    if (wanted.length > 0) changed.fire();
  };

  return {
    list: () => entries.map(viewOf),
    tools: () => entries.flatMap((entry) => toolsOf(deps, entry, callAsAgreed, made)),
    leftOut: () =>
      entries
        .filter(mayRun)
        .flatMap(({ server, agreed }) =>
          (agreed?.without ?? []).map((name) => createLeftOutTool(server.name, name)),
        ),
    diagnostics: () => entries.flatMap((entry) => diagnosticsOf(entry, entries)),
    async refresh(fs = deps.fs) {
      const all = await deps.named(fs);
      const agreed = await agreements.read(fs);
      const named = firstOfName(all);
      const before = entries;
      const moved = new Set<ServerEntry>();
      for (const server of all) if (!named.includes(server)) deps.report(nameTaken(server));
      entries = named.map((server) => {
        const key = agreementKey(server.origin, server.name);
        const entry = before.find((each) => each.key === key) ?? newEntry(key, server);
        if (urlOf(entry.server) !== urlOf(server)) moved.add(entry);
        // Why a start of something else failed says nothing of this one.
        if (stableStringify(entry.server.config) !== stableStringify(server.config))
          entry.failure = undefined;
        entry.server = server;
        setAgreement(entry, agreed.all.get(key));
        return entry;
      });
      takenOver = agreed.stamp;
      const gone = before.filter((each) => !entries.includes(each));
      await Promise.all([...gone.map((entry) => life.stop(entry)), stopDisallowed(moved)]);
      await look('invalidated');
      changed.fire();
    },
    look,
    async inspect(name) {
      const entry = find(name);
      const { launch } = await deps.readLaunch(entry.server);
      const launchChanges = entry.agreed && findInvalidation(entry.agreed, launch, deps.clock.now());
      // What runs is what was agreed to, whatever the next start would run.
      if (entry.live === undefined) setInvalidation(entry, launchChanges);
      const mayStart = entry.agreed !== undefined && launchChanges === undefined;
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
        ...(launchChanges === undefined ? {} : { launchChanges }),
        mayStart,
      };
      if (!mayStart) {
        changed.fire();
        return seen;
      }
      const { tools } = await life.ensure(entry);
      return { ...seen, brings: await bringsOf(entry, tools, knownNames(entry)) };
    },
    async agreeToStart(name, launchHash) {
      const entry = find(name);
      const { launch } = await deps.readLaunch(entry.server);
      if (hashLaunch(launch) !== launchHash) throw changedMeanwhile(name);
      if (!canBeShown(launch)) throw tooLongToAgree(name);
      const { tools = [], isListed = false, without = [] } = entry.agreed ?? {};
      await life.stop(entry);
      await agree(entry, { launch, tools, without, isListed, agreedAt: deps.clock.now() });
    },
    async agreeToTools(name, toolsHash, chosen) {
      const entry = find(name);
      const { live, agreed } = entry;
      if (agreed === undefined || live === undefined || hashTools(live.tools.tools) !== toolsHash)
        throw changedMeanwhile(name);
      const left = agreed.without ?? [];
      const isChosen = (tool: McpTool): boolean => chosen?.includes(tool.name) ?? !left.includes(tool.name);
      const listed = live.tools.tools;
      const tools = listed.filter(isChosen).map(({ raw }) => ({ ...raw }));
      const unchosen = listed.filter((tool) => !isChosen(tool)).map((tool) => tool.name);
      // One that is gone for now is still left out when it is back.
      const absent = left.filter((each) => !listed.some((tool) => tool.name === each));
      // When it was agreed to what runs stays: tools are another question.
      await agree(entry, { ...agreed, tools, without: [...unchosen, ...absent], isListed: true });
      entry.changes = undefined;
    },
    async restart(name) {
      const entry = find(name);
      await life.stop(entry);
      await life.ensure(entry);
    },
    async stop(name) {
      const entry = find(name);
      entry.isStopped ||= entry.live !== undefined || entry.starting !== undefined;
      await life.stop(entry);
    },
    async forget(name) {
      const entry = find(name);
      await life.stop(entry);
      await deps.secrets.delete(signInSecret(name));
      await agree(entry, undefined);
    },
    log: (name) => find(name).log.lines(),
    offers: createServerOffers({
      ...deps,
      async during(name, work) {
        await takeOver();
        const entry = find(name);
        if (entry.agreed?.isListed !== true) throw notReviewed(name);
        return await life.during(entry, ({ connection }) => work(connection));
      },
    }),
    askBy(ask) {
      askers.push(ask);
      return toDisposable(() => void askers.splice(askers.indexOf(ask), 1));
    },
    onDidChange: changed.event,
    async close() {
      end.abort();
      await Promise.all(entries.map((entry) => life.stop(entry)));
      await deps.closed();
      changed.dispose();
    },
  };
}

function nameTaken({ name, origin }: NamedServer): Diagnostic {
  return {
    level: 'warn',
    code: 'mcp_name_taken',
    message: `The MCP server ${name} in ${describeServerOrigin(origin)} is left out: there is another one of that name.`,
    hint: 'Rename one of them.',
  };
}

/** All of it, of which an agreement holds scheme, host and port. */
function urlOf({ config }: NamedServer): string | undefined {
  return 'url' in config ? config.url : undefined;
}

function firstOfName(named: readonly NamedServer[]): readonly NamedServer[] {
  const isFirst = ({ name }: NamedServer, at: number): boolean =>
    named.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()) === at;
  return named.filter(isFirst);
}

async function bringsOf(
  entry: ServerEntry,
  { tools, problems }: ReadTools,
  known: KnownNames,
): Promise<NonNullable<Inspection['brings']>> {
  const warnings = await findToolWarnings(tools, known);
  const { agreed, pinned } = entry;
  const changes = agreed?.isListed === true ? compareTools(pinned, tools, agreed.without) : undefined;
  return {
    tools: tools.map((tool, at) => ({ tool, warnings: warnings[at] ?? [] })),
    toolsHash: hashTools(tools),
    problems,
    agreed: pinned,
    leftOut: agreed?.without ?? [],
    ...(changes === undefined ? {} : { changes }),
    isAgreed: changes !== undefined && isUnchanged(changes),
  };
}

type MadeTools = WeakMap<readonly McpTool[], readonly AgentTool[]>;

/** `made` keeps them for as long as what was agreed to was not read anew: who has many need not make and check them for each turn. */
function toolsOf(
  deps: McpServersDeps,
  entry: ServerEntry,
  callTool: ServerLife['call'],
  made: MadeTools,
): readonly AgentTool[] {
  const { server, agreed, pinned } = entry;
  if (agreed === undefined || !mayRun(entry)) return [];
  const known = made.get(pinned);
  if (known !== undefined) return known;
  const launch = hashLaunch(agreed.launch);
  const tools = pinned.map((tool) =>
    createServerTool({
      ...deps,
      server: server.name,
      tool,
      pin: createHash('sha256').update(launch).update(tool.hash).digest('hex'),
      timeoutMs: server.config.timeoutMs ?? defaultTimeoutMs,
      call: (call) => callTool(entry, tool, call),
      unavailable: () => withdrawnBecause(entry, tool.name),
    }),
  );
  made.set(pinned, tools);
  return tools;
}

function unknownServer(name: string, entries: readonly ServerEntry[]): PincerError {
  const names = entries.map(({ server }) => server.name).join(', ');
  return new PincerError('mcp_unknown', `There is no MCP server ${inertLine(name, 80)}.`, {
    hint: names === '' ? 'Add one with Pincer: Add MCP Server…, or pincer mcp add.' : `There are: ${names}.`,
  });
}

function notReviewed(name: string): PincerError {
  return new PincerError('mcp_not_agreed', `Nobody has agreed to the MCP server ${name}.`, {
    hint: look(name),
  });
}

function tooLongToAgree(name: string): PincerError {
  return new PincerError(
    'mcp_launch_too_long',
    `The MCP server ${name} can't be agreed to: its command line, or what it is given, is too long to be shown whole.`,
    { hint: 'Put it into a script, and name that in its entry.' },
  );
}

function changedMeanwhile(name: string): PincerError {
  return new PincerError('mcp_changed_meanwhile', `The MCP server ${name} has changed since it was shown.`, {
    hint: 'Look at it again.',
  });
}
