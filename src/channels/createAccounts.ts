// Threat: a channel that a workspace brought, or that the user did not switch on, goes out to the network in their name. So only a channel
// whose plugin is the user's own starts, only with `enabled: true` in the user's own config, and in one process at a time.
import { errorMessage } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';
import type { ChannelsConfig } from '../config/sections/channelsSection.ts';
import type { Clock } from '../host/ports.ts';
import type { AccountState, AccountView, ChannelLogLine, ChannelView } from './channels.ts';
import { labelOf, type AccountSnapshot, type ChannelEntry, type GatewayContext } from './channelPlugin.ts';
import { keyOf, listAccounts, offReason, type AccountPlan } from './listAccounts.ts';

interface AccountsDeps {
  readonly clock: Clock;
  readonly entries: () => readonly ChannelEntry[];
  readonly config: () => ChannelsConfig;
  /** Why no channel may run now, as the end of a sentence. */
  readonly blocked: () => string | undefined;
  /** What a channel that runs needs beside, and does not have; as the end of a sentence. */
  readonly lacks: (entry: ChannelEntry) => string | undefined;
  /** Whether this process serves the channels of the workspace. */
  readonly serves: () => boolean;
  readonly log: (line: Omit<ChannelLogLine, 'at'>) => void;
  readonly changed: () => void;
}

/** An account that runs. */
export interface RunningAccount {
  readonly entry: ChannelEntry;
  readonly channel: string;
  readonly accountId: string;
  /** Upstream's resolved account. */
  readonly account: unknown;
  /** Aborts when it stops. */
  readonly signal: AbortSignal;
}

/** Starts and stops the accounts of channels, as plugins and config want. */
export interface Accounts {
  /** Makes what runs match what is wanted. Never rejects. */
  sync(): Promise<void>;
  /** Ends all; resolves once none runs. */
  close(): Promise<void>;
  restart(channel: string, accountId: string): Promise<boolean>;
  find(channel: string, accountId: string): RunningAccount | undefined;
  /** The account runs and has been told to start: messages of it may come. */
  running(): readonly RunningAccount[];
  note(channel: string, accountId: string, direction: 'inbound' | 'outbound'): void;
  readonly views: () => readonly ChannelView[];
}

interface Live extends RunningAccount {
  readonly key: string;
  /** What it was started with: another value starts it anew. */
  readonly basis: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

interface Status {
  state: AccountState;
  reason: string | undefined;
  since: number;
  attempts: number;
  snapshot: AccountSnapshot;
  lastInboundAt?: number;
  lastOutboundAt?: number;
  cancelRetry?: () => void;
}

const firstRetryMs = 5_000;
const maxRetryMs = 300_000;
const maxAttempts = 10;
/** After it ran this long a failure counts as the first one. */
const healthyMs = 600_000;
/** How long an account may take to stop. */
const stopMs = 4_000;

export function createAccounts(deps: AccountsDeps): Accounts {
  const { clock } = deps;
  const live = new Map<string, Live>();
  const statuses = new Map<string, Status>();
  let syncing: Promise<void> = Promise.resolve();
  let isClosed = false;

  const statusOf = (key: string, accountId: string): Status => {
    const known = statuses.get(key);
    if (known !== undefined) return known;
    const made: Status = {
      state: 'off',
      reason: undefined,
      since: clock.now(),
      attempts: 0,
      snapshot: { accountId },
    };
    statuses.set(key, made);
    return made;
  };
  const set = (key: string, accountId: string, state: AccountState, reason?: string): void => {
    const status = statusOf(key, accountId);
    if (status.state === state && status.reason === reason) return;
    Object.assign(status, { state, reason, since: clock.now() });
    const [channel = ''] = key.split('\n');
    const level = state === 'failed' ? 'error' : state === 'waiting' ? 'warn' : 'info';
    deps.log({
      channel,
      accountId,
      level,
      text: reason === undefined ? `is ${state}` : `is ${state}: ${reason}`,
    });
    deps.changed();
  };

  const start = (entry: ChannelEntry, wanted: AccountPlan): void => {
    const { key, accountId, basis, account } = wanted;
    const channel = entry.plugin.id;
    const status = statusOf(key, accountId);
    status.cancelRetry?.();
    const stop = new AbortController();
    status.attempts += 1;
    set(key, accountId, 'starting');
    const startedAt = clock.monotonic();
    const context = gatewayContext(entry, { ...wanted, channel }, stop.signal, {
      log: (level, text) => deps.log({ channel, accountId, level, text: entry.redact(inertLine(text, 300)) }),
      get: () => status.snapshot,
      set(next) {
        status.snapshot = { ...next, accountId };
        deps.changed();
      },
    });
    const run = async (): Promise<void> => {
      // Whatever the plugin does at once must find the account in its place.
      await Promise.resolve();
      let problem: string;
      try {
        const started = entry.call(`startAccount of the channel ${channel}`, () =>
          entry.plugin.gateway?.startAccount?.(context),
        );
        if (!stop.signal.aborted) set(key, accountId, 'running');
        await Promise.race([started, aborted(stop.signal)]);
        problem = 'it ended by itself';
      } catch (error) {
        problem = entry.redact(inertLine(errorMessage(error), 300));
      }
      if (!stop.signal.aborted) {
        if (clock.monotonic() - startedAt >= healthyMs) status.attempts = 1;
        live.delete(key);
        stop.abort();
        await callStop(entry, context);
        retry(entry, wanted, status, problem);
        return;
      }
      await Promise.race([
        callStop(entry, context),
        new Promise<void>((resolve) => void clock.after(stopMs, resolve)),
      ]);
    };
    const ended = run();
    live.set(key, { key, entry, channel, accountId, account, basis, stop, signal: stop.signal, ended });
  };

  const retry = (
    { plugin }: ChannelEntry,
    { key, accountId }: AccountPlan,
    status: Status,
    problem: string,
  ): void => {
    if (isClosed) return;
    if (status.attempts >= maxAttempts) {
      set(key, accountId, 'failed', `${problem}; it was started ${String(maxAttempts)} times`);
      return;
    }
    const waitMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (status.attempts - 1));
    set(key, accountId, 'waiting', problem);
    deps.log({
      channel: plugin.id,
      accountId,
      level: 'info',
      text: `starts again in ${String(Math.round(waitMs / 1_000))} s`,
    });
    status.cancelRetry = clock.after(waitMs, () => {
      delete status.cancelRetry;
      status.state = 'off';
      void sync();
    });
  };

  const end = async (each: Live): Promise<void> => {
    live.delete(each.key);
    each.stop.abort();
    await each.ended;
  };

  const look = async (): Promise<void> => {
    const wanted = new Map<string, { readonly entry: ChannelEntry; readonly wanted: AccountPlan }>();
    const known = new Set<string>();
    for (const entry of deps.entries()) {
      const off = offReason(deps, entry);
      for (const found of await listAccounts(entry, off)) {
        known.add(found.key);
        const reason = off ?? found.off;
        if (reason === undefined) wanted.set(found.key, { entry, wanted: found });
        else if (!live.has(found.key)) quiet(found, reason);
      }
    }
    for (const each of [...live.values()]) {
      const now = wanted.get(each.key);
      if (now?.entry !== each.entry || now.wanted.basis !== each.basis) {
        await end(each);
        const status = statusOf(each.key, each.accountId);
        status.attempts = 0;
        status.state = 'off';
      }
    }
    for (const key of [...statuses.keys()]) {
      if (known.has(key)) continue;
      statuses.get(key)?.cancelRetry?.();
      statuses.delete(key);
    }
    for (const [key, { entry, wanted: each }] of wanted) {
      if (isClosed || live.has(key)) continue;
      const status = statusOf(key, each.accountId);
      if (!deps.serves())
        set(key, each.accountId, 'elsewhere', 'another window or program serves the channels');
      else if (status.state !== 'waiting' && status.state !== 'failed') start(entry, each);
    }
    deps.changed();
  };
  const quiet = ({ key, accountId }: AccountPlan, reason: string): void => {
    const status = statusOf(key, accountId);
    status.cancelRetry?.();
    delete status.cancelRetry;
    status.attempts = 0;
    set(key, accountId, 'off', reason);
  };
  const sync = (): Promise<void> => {
    syncing = syncing.then(async () => {
      if (!isClosed) await look();
    });
    return syncing;
  };

  return {
    sync,
    async close() {
      isClosed = true;
      for (const status of statuses.values()) status.cancelRetry?.();
      await syncing;
      await Promise.all([...live.values()].map(end));
    },
    async restart(channel, accountId) {
      const key = keyOf(channel, accountId);
      const status = statuses.get(key);
      if (status === undefined) return false;
      status.cancelRetry?.();
      const running = live.get(key);
      if (running !== undefined) await end(running);
      status.attempts = 0;
      status.state = 'off';
      await sync();
      return true;
    },
    find: (channel, accountId) => live.get(keyOf(channel, accountId)),
    running: () => [...live.values()],
    note(channel, accountId, direction) {
      const status = statuses.get(keyOf(channel, accountId));
      if (status === undefined) return;
      if (direction === 'inbound') status.lastInboundAt = clock.now();
      else status.lastOutboundAt = clock.now();
    },
    views() {
      const brought = deps.entries().map((entry): ChannelView => {
        const { id } = entry.plugin;
        const accounts = [...statuses]
          .filter(([key]) => key.startsWith(`${id}\n`))
          .map(([, status]) => viewOf(status, deps.lacks(entry)));
        const reason = offReason(deps, entry);
        return {
          id,
          label: labelOf(entry.plugin),
          pluginId: entry.pluginId,
          state: strongest(accounts),
          ...(reason === undefined ? {} : { reason }),
          accounts,
        };
      });
      const missing = Object.keys(deps.config().entries)
        .filter((id) => !brought.some((each) => each.id === id))
        .map((id): ChannelView => ({
          id,
          label: id,
          pluginId: undefined,
          state: 'off',
          reason: 'no plugin that is loaded brings this channel',
          accounts: [],
        }));
      return [...brought, ...missing];
    },
  };
}

interface StatusPort {
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
  readonly get: () => AccountSnapshot;
  readonly set: (next: AccountSnapshot) => void;
}

function gatewayContext(
  entry: ChannelEntry,
  { accountId, account }: AccountPlan & { readonly channel: string },
  abortSignal: AbortSignal,
  { log, get, set }: StatusPort,
): GatewayContext {
  const words = (args: readonly unknown[]): string => args.map(String).join(' ');
  return {
    cfg: entry.cfg(),
    accountId,
    account,
    runtime: {
      log: (...args) => log('info', words(args)),
      error: (...args) => log('error', words(args)),
      exit: (code) => log('error', `wanted to end the program with ${String(code)}`),
    },
    abortSignal,
    log: {
      info: (message) => log('info', message),
      warn: (message) => log('warn', message),
      error: (message) => log('error', message),
      debug: () => undefined,
    },
    getStatus: get,
    setStatus: set,
    invalidateDirectoryCache: () => undefined,
    channelRuntime: entry.runtime(),
  };
}

async function callStop(entry: ChannelEntry, context: GatewayContext): Promise<void> {
  const { id, gateway } = entry.plugin;
  try {
    await entry.call(`stopAccount of the channel ${id}`, () => gateway?.stopAccount?.(context));
  } catch (error) {
    context.log.warn(`stopping failed: ${errorMessage(error)}`);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** What a plugin sets of its own connection adds to what is known here. */
function viewOf(status: Status, lacks: string | undefined): AccountView {
  const { state, reason, since, attempts, snapshot, lastInboundAt, lastOutboundAt } = status;
  const { accountId, lastError } = snapshot;
  const said = typeof lastError === 'string' && lastError !== '' ? inertLine(lastError, 200) : undefined;
  const why = reason ?? (state === 'running' ? lacks : undefined) ?? said;
  return {
    id: accountId,
    state,
    ...(why === undefined ? {} : { reason: why }),
    since,
    attempts,
    ...(lastInboundAt === undefined ? {} : { lastInboundAt }),
    ...(lastOutboundAt === undefined ? {} : { lastOutboundAt }),
  };
}

const byStrength: readonly AccountState[] = ['running', 'starting', 'waiting', 'failed', 'elsewhere', 'off'];

function strongest(accounts: readonly AccountView[]): AccountState {
  return byStrength.find((state) => accounts.some((each) => each.state === state)) ?? 'off';
}
