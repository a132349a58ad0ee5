import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { createEmitter, type Emitter, type Event } from '../base/event.ts';
import type { HookTrace } from '../hooks/hookTrace.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import { buildTrace, type RunEnd, type RunRecord } from './buildTrace.ts';
import type { RunStep, RunTrace } from './runTrace.ts';
import { join } from 'node:path';
import { isRecord, parseJson } from '../base/json.ts';

/** What a run tells of itself. */
export interface RunTracer {
  begin(run: { readonly runId: string; readonly sessionKey: string; readonly sessionId: string }): void;
  /** Nothing, for a run that is not known. */
  step(runId: string, step: RunStep): void;
  /** The run's outcome stands; observers may still run. */
  end(runId: string, end: Omit<RunEnd, 'durationMs'>): void;
  /** Nothing more will come. */
  settle(runId: string): void;
}

/** The traces of this workspace's runs: what plugins and the host did, how long it took, and what they changed. */
export interface RunTraces extends RunTracer, Disposable {
  /** For the hook runner's `trace`. */
  readonly hookCalled: (record: HookTrace) => void;
  /** Newest first, those of other processes included. */
  list(): Promise<readonly RunTrace[]>;
  /** By the run's id or a beginning of it that only one has. */
  get(runId: string): Promise<RunTrace | undefined>;
  /** The newest, of one session or of all. */
  last(sessionKey?: string): Promise<RunTrace | undefined>;
  /** What happened outside of every run since this runtime started: its start, sessions, installs. */
  outside(): RunTrace;
  /** A run has begun, ended or settled. */
  readonly onDidChange: Event<void>;
  /** Resolves when everything that has ended is on disk. Never rejects. */
  flush(): Promise<void>;
}

export interface RunTracesParts {
  readonly clock: Clock;
  readonly fs: FileSystem;
  readonly log: Log;
  /** Absolute; made when the first run has ended. */
  readonly folder: string;
  /** Traces that are kept, in memory and on disk. */
  readonly keep?: number;
  /** Takes secrets out of a text before anybody sees it. */
  readonly redact?: (text: string) => string;
}

const defaultKeep = 50;
const maxLines = 2_000;
const maxOutsideLines = 500;

interface OpenRun extends RunRecord {
  readonly hooks: HookTrace[];
  readonly steps: RunStep[];
  omitted: number;
  end?: RunEnd;
}

export function createRunTraces(parts: RunTracesParts): RunTraces {
  const { clock, log, keep = defaultKeep, redact } = parts;
  const changed: Emitter<void> = createEmitter();
  const files = createTraceFiles(parts.fs, parts.folder, keep);
  const open = new Map<string, OpenRun>();
  /** The runs of each chat: hooks that store messages know nothing else. */
  const byChat = new Map<string, readonly OpenRun[]>();
  const outside = openRun('outside', '');
  /** Of the last line: the handlers of one firing share their context, so that its run is looked up once. */
  let lastContext: object | undefined;
  let lastRun: OpenRun | undefined;
  let finished: readonly RunTrace[] = [];
  let writing = Promise.resolve();
  let hasFailed = false;

  function openRun(runId: string, sessionKey: string): OpenRun {
    const startedAt = clock.now();
    return { runId, sessionKey, startedAt, origin: clock.monotonic(), hooks: [], steps: [], omitted: 0 };
  }

  const write = (trace: RunTrace): void => {
    writing = writing
      .then(() => files.write(trace))
      .catch((error: unknown) => {
        if (hasFailed) return;
        hasFailed = true;
        log.write('warn', `The trace of a run could not be stored: ${errorMessage(error)}`);
      });
  };

  /** Undefined for a run that is over: what comes late may quote a message that was blocked. */
  const runOf = (context: object): OpenRun | undefined => {
    const { runId } = context as { readonly runId?: unknown };
    return typeof runId === 'string' ? open.get(runId) : runOfSession(context);
  };
  const runOfSession = (context: object): OpenRun => {
    const { sessionKey, sessionId } = context as Readonly<Record<string, unknown>>;
    // Contexts of the hooks of a session's own life have its id, too.
    if (typeof sessionKey !== 'string' || sessionId !== undefined) return outside;
    const runs = byChat.get(sessionKey) ?? [];
    const [run, ...others] = runs;
    if (run === undefined) return outside;
    if (others.length === 0) return run;
    // Of several, nobody knows which is meant: none of them can say that it tells all.
    for (const each of runs) each.omitted += 1;
    return outside;
  };
  const remember = (context: object): void => {
    lastContext = context;
    lastRun = runOf(context);
  };
  const forget = (): void => {
    lastContext = undefined;
    lastRun = undefined;
  };

  const list = async (): Promise<readonly RunTrace[]> => {
    const running = [...open.values()].map((run) => buildTrace(run, redact));
    const known = [...running, ...finished];
    const ids = new Set(known.map((trace) => trace.runId));
    const others = (await files.read()).filter((trace) => !ids.has(trace.runId));
    return [...known, ...others].sort((a, b) => b.startedAt - a.startedAt);
  };

  return {
    onDidChange: changed.event,

    hookCalled(record) {
      const { context } = record;
      if (context !== lastContext) remember(context);
      const run = lastRun;
      if (run === undefined) return;
      const { hooks } = run;
      // Every handler of every hook comes by here: by its index, a line is added in half the time that `push` takes.
      if (hooks.length < maxLines) hooks[hooks.length] = record;
      else run.omitted += 1;
      if (run === outside && hooks.length > maxOutsideLines) {
        run.omitted += hooks.splice(0, maxOutsideLines / 2).length;
      }
    },
    begin({ runId, sessionKey, sessionId }) {
      const run = { ...openRun(runId, sessionKey), sessionId };
      open.set(runId, run);
      byChat.set(sessionKey, [...(byChat.get(sessionKey) ?? []), run]);
      forget();
      changed.fire();
    },
    step(runId, step) {
      const run = open.get(runId);
      if (run === undefined || !saysSomething(step)) return;
      if (run.steps.length < maxLines) run.steps.push(step);
      else run.omitted += 1;
    },
    end(runId, end) {
      const run = open.get(runId);
      if (run === undefined) return;
      run.end = { ...end, durationMs: clock.monotonic() - run.origin };
      write(buildTrace(run, redact));
      changed.fire();
    },
    settle(runId) {
      const run = open.get(runId);
      if (run === undefined) return;
      open.delete(runId);
      const left = (byChat.get(run.sessionKey) ?? []).filter((each) => each !== run);
      if (left.length === 0) byChat.delete(run.sessionKey);
      else byChat.set(run.sessionKey, left);
      forget();
      const trace = buildTrace(run, redact);
      finished = [trace, ...finished].slice(0, keep);
      // Observers that ended after the run belong into the file, too.
      write(trace);
      changed.fire();
    },

    list,
    async get(runId) {
      const all = await list();
      const exact = all.find((trace) => trace.runId === runId);
      const similar = all.filter((trace) => trace.runId.startsWith(runId));
      return exact ?? (similar.length === 1 ? similar[0] : undefined);
    },
    last: async (sessionKey) =>
      (await list()).find((trace) => sessionKey === undefined || trace.sessionKey === sessionKey),
    outside: () => buildTrace(outside, redact),
    flush: () => writing,
    dispose: () => changed.dispose(),
  };
}

/** The hooks of a tool call have lines of their own, and a stage that went well says nothing, but for the tool itself. */
function saysSomething(step: RunStep): boolean {
  return step.kind !== 'tool' || step.stage === 'execute' || step.outcome === 'failed';
}

/** Traces on disk, one JSON file a run, so that another process can show them. */
interface TraceFiles {
  /** Newest first; a file that can't be read or is none of ours is left out. */
  read(): Promise<readonly RunTrace[]>;
  /** Writes one and removes the oldest that are too many. */
  write(trace: RunTrace): Promise<void>;
}

const maxBytes = 4_000_000;
const ours = /^\d{15}-[\w-]+\.json$/u;

function createTraceFiles(fs: FileSystem, folder: string, keep: number): TraceFiles {
  /** By time: names begin with it. */
  const newestFirst = async (): Promise<readonly string[]> => {
    if ((await fs.stat(folder)) === undefined) return [];
    const names = (await fs.readDirectory(folder)).map((entry) => entry.name);
    return names
      .filter((name) => ours.test(name))
      .sort()
      .reverse();
  };
  const readOne = async (name: string): Promise<readonly RunTrace[]> => {
    try {
      const value = parseJson(await fs.readText(join(folder, name), maxBytes));
      return isTrace(value) ? [value] : [];
    } catch {
      // Another process has just removed it, or it is not readable: one trace less.
      return [];
    }
  };
  return {
    async read() {
      const names = await newestFirst();
      return (await Promise.all(names.slice(0, keep).map(readOne))).flat();
    },
    async write(trace) {
      const time = String(trace.startedAt).padStart(15, '0');
      // It has commands of the user in it.
      const file = join(folder, `${time}-${trace.runId}.json`);
      await fs.writeFile(file, `${JSON.stringify(trace)}\n`, 'private');
      for (const name of (await newestFirst()).slice(keep)) await fs.remove(join(folder, name));
    },
  };
}

/** As far as showing it needs; another version of this program may have written it. */
function isTrace(value: unknown): value is RunTrace {
  if (!isRecord(value) || value['version'] !== 1) return false;
  const { runId, sessionKey, startedAt, lines } = value;
  return (
    typeof runId === 'string' &&
    typeof sessionKey === 'string' &&
    typeof startedAt === 'number' &&
    Array.isArray(lines) &&
    lines.every(
      (line) => isRecord(line) && typeof line['kind'] === 'string' && typeof line['at'] === 'number',
    )
  );
}
