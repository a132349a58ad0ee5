import { join } from 'node:path';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { unreadableState } from '../base/unreadableState.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { isJsonValue, isRecord, parseJson } from '../base/json.ts';
import type { Clock, FileSystem, Log } from '../host/ports.ts';
import { parseSessionKey } from './sessionKey.ts';

/**
 * Text that a plugin wants the model to read in the next turn of a session, once (OpenClaw hooks, Session extensions and next-turn
 * injections).
 */
export interface NextTurnInjection {
  readonly text: string;
  /** A second injection of the plugin with the same key is not queued while the first one waits. */
  readonly idempotencyKey?: string;
  readonly placement?: 'prepend_context' | 'append_context';
  /** Milliseconds after which it is dropped unread. */
  readonly ttlMs?: number;
  /** JSON-compatible; handed to `agent_turn_prepare`. */
  readonly metadata?: unknown;
}

/** An injection that waits. Field names are upstream's. */
export interface QueuedInjection extends NextTurnInjection {
  readonly id: string;
  readonly pluginId: string;
  readonly placement: 'prepend_context' | 'append_context';
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/**
 * What plugins keep of a session: small JSON values by plugin and namespace, and texts for its next turn. It lies beside the
 * transcript, outlives the window and ends with the session; the next one of the chat, which has the same key, begins without it.
 */
export interface PluginSessionState {
  /**
   * Reads what is kept of the session that a key stands for, for `read`, which can't wait. Gives the session's id; undefined where there
   * is none.
   */
  open(sessionKey: string): Promise<string | undefined>;
  /** A copy of one value as it was when this process last looked; undefined where none is stored or nothing was opened. */
  read(sessionKey: string, pluginId: string, namespace: string): unknown;
  /** Every value of one session by plugin and namespace, copied. */
  list(sessionId: string): Promise<PluginValues>;
  /**
   * Stores a value of the session that a key stands for, or removes it with `unset`.
   * @throws PincerError `session_unknown`, `session_value_invalid`
   */
  patch(sessionKey: string, target: ExtensionTarget, change: ExtensionChange): Promise<void>;
  /** The same for one session. @throws PincerError `session_value_invalid` */
  patchSession(session: SessionName, target: ExtensionTarget, change: ExtensionChange): Promise<void>;
  /** @throws PincerError `session_unknown`, `injection_invalid`, `injection_capacity` */
  enqueue(
    sessionKey: string,
    pluginId: string,
    injection: NextTurnInjection,
  ): Promise<{ readonly enqueued: boolean; readonly id: string; readonly sessionKey: string }>;
  /** What waits for the next turn of a session, oldest first, without what expired or may not be used. It waits on until it is consumed. */
  waiting(session: SessionName, isEligible: (pluginId: string) => boolean): Promise<WaitingInjections>;
  /** The session was reset or deleted: nothing of it stays. */
  removeSession(sessionId: string): Promise<void>;
  /** The plugin was switched off: nothing of it stays in any session. */
  removePlugin(pluginId: string): Promise<void>;
}

/** A session, and the key of its chat. */
export interface SessionName {
  readonly id: string;
  readonly key: string;
}

export interface WaitingInjections {
  readonly injections: readonly QueuedInjection[];
  /** A model has read them: takes them out of the queue, with what was passed over. What was queued since waits on. */
  consume(): Promise<void>;
}

export interface ExtensionTarget {
  readonly pluginId: string;
  readonly namespace: string;
}

export interface ExtensionChange {
  readonly value?: unknown;
  readonly unset?: boolean;
}

export type PluginValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface PluginSessionStateDeps {
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the transcripts. */
  readonly folder: string;
  /** The id of the session that a key stands for now; undefined for one that never was. */
  readonly sessionOf: (sessionKey: string) => Promise<string | undefined>;
  /** Called after a value was stored or removed, and not waited for. */
  readonly patched?: (change: SessionPatch) => void;
  /** Told of a file that can't be read. */
  readonly report?: (diagnostic: Diagnostic) => void;
}

export interface SessionPatch extends ExtensionTarget {
  readonly sessionKey: string;
  readonly sessionId: string;
}

interface Stored {
  readonly version: 1;
  readonly extensions: PluginValues;
  readonly injections: readonly QueuedInjection[];
}

const empty: Stored = { version: 1, extensions: {}, injections: [] };
const suffix = '.plugins.json';
const maxValueBytes = 64 * 1024;
const maxTextBytes = 32 * 1024;
const maxWaiting = 32;
const maxKeyChars = 512;

export function createPluginSessionState(deps: PluginSessionStateDeps): PluginSessionState {
  const { fs, clock, folder } = deps;
  /** What was last seen of each session, for `read` alone: another window may have written since. */
  const states = new Map<string, Stored>();
  /** The session that each key stood for last. */
  const ids = new Map<string, string>();
  const reader = createReader(deps);

  /** One change after the other; a failed one does not hold up the next. */
  const inOrder = createSerialQueue();
  const fileOf = (id: string): string => join(folder, `${id}${suffix}`);

  const load = async (id: string): Promise<Stored> => {
    const state = await reader(fileOf(id));
    states.set(id, state);
    return state;
  };
  const save = async (id: string, state: Stored): Promise<void> => {
    states.set(id, state);
    const isEmpty = state.injections.length === 0 && Object.keys(state.extensions).length === 0;
    await (isEmpty ? fs.remove(fileOf(id)) : fs.writeFile(fileOf(id), JSON.stringify(state)));
  };
  const find = async (sessionKey: string): Promise<string | undefined> => {
    const id = parseSessionKey(sessionKey) === undefined ? undefined : await deps.sessionOf(sessionKey);
    if (id !== undefined) ids.set(sessionKey, id);
    return id;
  };
  const existing = async (sessionKey: string): Promise<string> => {
    const id = await find(sessionKey);
    if (id !== undefined) return id;
    throw new PincerError('session_unknown', `unknown session key: ${sessionKey}`, {
      hint: 'Use the sessionKey that hooks, tools and commands are given.',
    });
  };
  /** Takes a plugin's things out of a state. */
  const without = (state: Stored, pluginId: string): Stored => {
    const extensions = Object.fromEntries(Object.entries(state.extensions).filter(([id]) => id !== pluginId));
    return {
      ...state,
      extensions,
      injections: state.injections.filter((each) => each.pluginId !== pluginId),
    };
  };

  const change = async (
    { id, key }: SessionName,
    { pluginId, namespace }: ExtensionTarget,
    wanted: ExtensionChange,
  ): Promise<void> => {
    const state = await load(id);
    checkChange(wanted);
    const { [namespace]: _old, ...others } = ownValue(state.extensions, pluginId) ?? {};
    const values = wanted.unset === true ? others : { ...others, [namespace]: structuredClone(wanted.value) };
    const rest = without({ ...state, injections: [] }, pluginId).extensions;
    const extensions = Object.keys(values).length === 0 ? rest : { ...rest, [pluginId]: values };
    await save(id, { ...state, extensions });
    deps.patched?.({ sessionKey: key, sessionId: id, pluginId, namespace });
  };

  return {
    open: (sessionKey) =>
      inOrder(async () => {
        const id = await find(sessionKey);
        if (id !== undefined) await load(id);
        return id;
      }),
    read(sessionKey, pluginId, namespace) {
      const extensions = states.get(ids.get(sessionKey) ?? '')?.extensions ?? {};
      return structuredClone(ownValue(ownValue(extensions, pluginId) ?? {}, namespace));
    },
    list: (id) => inOrder(async () => structuredClone((await load(id)).extensions)),
    patch: (key, target, wanted) =>
      inOrder(async () => change({ id: await existing(key), key }, target, wanted)),
    patchSession: (session, target, wanted) => inOrder(() => change(session, target, wanted)),
    enqueue: (sessionKey, pluginId, injection) =>
      inOrder(async () => {
        const session = await existing(sessionKey);
        const state = await load(session);
        const checked = checkInjection(injection);
        const own = state.injections.filter(
          (each) => each.pluginId === pluginId && !isExpired(each, clock.now()),
        );
        const same = own.find(
          (each) => checked.idempotencyKey !== undefined && each.idempotencyKey === checked.idempotencyKey,
        );
        if (same !== undefined) return { enqueued: false, id: same.id, sessionKey };
        if (own.length >= maxWaiting) {
          throw new PincerError(
            'injection_capacity',
            `plugin ${pluginId} already has ${String(maxWaiting)} texts waiting for the next turn`,
          );
        }
        const queued: QueuedInjection = {
          ...checked,
          id: crypto.randomUUID(),
          pluginId,
          placement: checked.placement ?? 'prepend_context',
          createdAt: clock.now(),
        };
        await save(session, { ...state, injections: [...state.injections, queued] });
        return { enqueued: true, id: queued.id, sessionKey };
      }),
    waiting: ({ id, key }, isEligible) =>
      inOrder(async () => {
        // While its turn runs, the key stands for it.
        ids.set(key, id);
        const queued = (await load(id)).injections;
        const seen = new Set(queued.map((each) => each.id));
        return {
          injections: queued
            .filter((each) => !isExpired(each, clock.now()) && isEligible(each.pluginId))
            .sort((a, b) => a.createdAt - b.createdAt),
          consume: () =>
            inOrder(async () => {
              if (seen.size === 0) return;
              const state = await load(id);
              await save(id, { ...state, injections: state.injections.filter((each) => !seen.has(each.id)) });
            }),
        };
      }),
    removeSession: (id) => inOrder(() => save(id, empty)),
    removePlugin: (pluginId) =>
      inOrder(async () => {
        const stored = (await fs.stat(folder)) === undefined ? [] : await fs.readDirectory(folder);
        const stateIds = stored.flatMap(({ name }) =>
          name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : [],
        );
        for (const id of new Set([...stateIds, ...states.keys()])) {
          const state = await load(id);
          const rest = without(state, pluginId);
          if (JSON.stringify(rest) !== JSON.stringify(state)) await save(id, rest);
        }
      }),
  };
}

/** A file that can't be read is as good as none: it holds only what plugins can make again. Each is told of once. */
function createReader({ fs, log, report }: PluginSessionStateDeps): (file: string) => Promise<Stored> {
  const told = new Set<string>();
  const tell = (file: string, why: string): void => {
    if (told.has(file)) return;
    told.add(file);
    log.write('warn', `${file}: ${why}`);
    report?.(unreadableState(file, 'What plugins kept of a session is lost', 'They begin anew with it.'));
  };
  return async (file) => {
    if ((await fs.stat(file)) === undefined) return empty;
    try {
      const state = toStored(parseJson(await fs.readText(file)));
      if (state !== undefined) return state;
      tell(file, 'it is no plugin state');
    } catch (error) {
      tell(file, errorMessage(error));
    }
    return empty;
  };
}

/** What has the right shape; undefined where it is no state at all. Anybody may have written the file. */
function toStored(value: unknown): Stored | undefined {
  // What nests deeper can't be copied.
  if (!isRecord(value) || value['version'] !== 1 || !isJsonValue(value)) return undefined;
  const { extensions, injections } = value;
  if (!isRecord(extensions) || !Array.isArray(injections)) return undefined;
  const values = Object.entries(extensions).filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  );
  return {
    version: 1,
    extensions: Object.fromEntries(values),
    injections: injections.filter(isQueued),
  };
}

function isQueued(value: unknown): value is QueuedInjection {
  if (!isRecord(value)) return false;
  const { id, pluginId, text, placement, createdAt, ttlMs, idempotencyKey } = value;
  return (
    [id, pluginId, text].every((each) => typeof each === 'string') &&
    (placement === 'prepend_context' || placement === 'append_context') &&
    typeof createdAt === 'number' &&
    (ttlMs === undefined || typeof ttlMs === 'number') &&
    (idempotencyKey === undefined || typeof idempotencyKey === 'string')
  );
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function isExpired({ createdAt, ttlMs }: QueuedInjection, now: number): boolean {
  return ttlMs !== undefined && now - createdAt >= ttlMs;
}

/** Messages are upstream's. */
function checkChange({ value, unset }: ExtensionChange): void {
  const problem =
    unset === true
      ? value === undefined
        ? undefined
        : 'plugin session extension cannot specify both unset and value'
      : value === undefined
        ? 'plugin session extension value is required unless unset is true'
        : !isJsonValue(value)
          ? 'plugin session extension value must be JSON-compatible'
          : JSON.stringify(value).length > maxValueBytes
            ? `plugin session extension value is larger than ${String(maxValueBytes)} bytes`
            : undefined;
  if (problem !== undefined) throw new PincerError('session_value_invalid', problem);
}

function checkInjection({
  text,
  idempotencyKey,
  placement,
  ttlMs,
  metadata,
}: NextTurnInjection): NextTurnInjection {
  const trimmed = typeof text === 'string' ? text.trim() : '';
  const refuse = (why: string): never => {
    throw new PincerError('injection_invalid', `next-turn injection: ${why}`);
  };
  if (trimmed === '') refuse('text is required');
  if (Buffer.byteLength(trimmed) > maxTextBytes) refuse(`text is longer than ${String(maxTextBytes)} bytes`);
  if (
    idempotencyKey !== undefined &&
    (typeof idempotencyKey !== 'string' || idempotencyKey.length > maxKeyChars)
  )
    refuse(`idempotencyKey must be a text of at most ${String(maxKeyChars)} characters`);
  if (placement !== undefined && !['prepend_context', 'append_context'].includes(placement))
    refuse('placement must be prepend_context or append_context');
  if (ttlMs !== undefined && !(Number.isFinite(ttlMs) && ttlMs > 0))
    refuse('ttlMs must be a positive number');
  if (metadata !== undefined && !isJsonValue(metadata)) refuse('metadata must be JSON-compatible');
  return {
    text: trimmed,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(placement === undefined ? {} : { placement }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(metadata === undefined ? {} : { metadata: structuredClone(metadata) }),
  };
}
