// How channels of upstream hand their messages on. There, a queue of their own keeps each message, and an access resolver decides who may
// write. Here the host does both, once for all channels: a message counts as taken when the host has it on the disk, and who may
// write is judged where it is taken, whatever a plugin has found before.
import type { ChannelFields } from './types/channelTypes.ts';

/** What a channel hears of a message that it handed on. */
export interface IngressLifecycle {
  readonly abortSignal: AbortSignal;
  onAdopted(): unknown;
  onDeferred(): void;
  onAbandoned(): unknown;
}

interface IngressOptions {
  /** Null for what is no message. */
  inspect(raw: unknown, context: { readonly phase: 'admission' | 'claim' }): IngressPlace | null;
  deliver(raw: unknown, lifecycle: IngressLifecycle, claim: IngressClaim): unknown;
  /** What upstream keeps of a message on the disk. */
  readonly payload?: {
    readonly version?: number;
    serialize(raw: unknown, facts: { readonly receivedAt: number }): unknown;
    encode?(kept: { readonly version: number; readonly body: unknown }): unknown;
  };
  createStoppedError?(): Error;
  onError?(error: unknown): void;
  readonly [more: string]: unknown;
}

/** A message's own id, and what has to stay in order. */
interface IngressPlace {
  readonly eventId: string;
  readonly laneKey: string;
}

interface IngressClaim {
  readonly id: string;
  readonly laneKey: string;
  /** As upstream would have kept it; undefined where the channel says nothing of that. */
  readonly payload: unknown;
}

export interface IngressMonitor {
  /** Resolves once the host has the message. Rejects where it has not: whoever sent it brings it again. */
  admit(
    raw: unknown,
    facts?: { readonly receivedAt?: number },
  ): Promise<{
    readonly kind: 'accepted' | 'ignored';
    readonly duplicate: boolean;
  }>;
  start(): void;
  /** Messages wait until the next `start`. */
  pause(): Promise<void>;
  stop(): Promise<void>;
  waitForIdle(): Promise<void>;
  isStopped(): boolean;
}

/** Hands messages to a channel's own `deliver`, those of one lane in their order. */
export function createChannelIngressMonitor(options: IngressOptions): IngressMonitor {
  const ended = new AbortController();
  const lanes = new Map<string, Promise<unknown>>();
  const working = new Set<Promise<unknown>>();
  let open = (): void => undefined;
  let started: Promise<void>;
  const close = (): void => {
    started = new Promise((resolve) => {
      open = resolve;
    });
  };
  close();
  const stopped = (): Error => options.createStoppedError?.() ?? new Error('The channel is stopped.');

  const hand = async (raw: unknown, claim: IngressClaim): Promise<void> => {
    await started;
    if (ended.signal.aborted) throw stopped();
    options.inspect(raw, { phase: 'claim' });
    await new Promise<void>((resolve, reject) => {
      const lifecycle: IngressLifecycle = {
        abortSignal: ended.signal,
        onAdopted: resolve,
        onDeferred: resolve,
        onAbandoned: () => reject(stopped()),
      };
      const work = Promise.resolve()
        .then(() => options.deliver(raw, lifecycle, claim))
        .then((outcome) => {
          const failure = failureIn(outcome);
          if (failure !== undefined) throw failure;
          resolve();
        })
        .catch((error: unknown) => {
          options.onError?.(error);
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      working.add(work);
      void work.finally(() => working.delete(work));
    });
  };
  return {
    async admit(raw, { receivedAt = Date.now() } = {}) {
      if (ended.signal.aborted) throw stopped();
      const place = options.inspect(raw, { phase: 'admission' });
      if (place === null) return { kind: 'ignored', duplicate: false };
      const payload = payloadOf(options, raw, receivedAt);
      const claim = { id: place.eventId, laneKey: place.laneKey, payload };
      const before = lanes.get(place.laneKey) ?? Promise.resolve();
      const done = before.then(() => hand(raw, claim));
      const settled = done.catch(() => undefined);
      lanes.set(place.laneKey, settled);
      void settled.then(() => {
        if (lanes.get(place.laneKey) === settled) lanes.delete(place.laneKey);
      });
      await done;
      return { kind: 'accepted', duplicate: false };
    },
    start: () => open(),
    pause() {
      close();
      return Promise.resolve();
    },
    async stop() {
      ended.abort();
      open();
      await Promise.all(working);
    },
    async waitForIdle() {
      await Promise.all([...lanes.values(), ...working]);
    },
    isStopped: () => ended.signal.aborted,
  };
}

/** What upstream would have kept of a message. */
function payloadOf({ payload }: IngressOptions, raw: unknown, receivedAt: number): unknown {
  if (payload === undefined) return undefined;
  const kept = { version: payload.version ?? 1, body: payload.serialize(raw, { receivedAt }) };
  return payload.encode === undefined ? kept : payload.encode(kept);
}

function failureIn(outcome: unknown): Error | undefined {
  if (typeof outcome !== 'object' || outcome === null || !('kind' in outcome)) return undefined;
  if (outcome.kind !== 'failed-retryable') return undefined;
  return 'error' in outcome && outcome.error instanceof Error
    ? outcome.error
    : new Error('The channel could not take a message.');
}

/** An error class of a channel's own. */
export function createChannelIngressError(name: string): new (message?: string) => Error {
  return class extends Error {
    override readonly name = name;
  };
}

/** The options of a reply that tell a channel when its message is taken. */
export function bindIngressLifecycleToReplyOptions(lifecycle: IngressLifecycle): {
  readonly turnAdoptionLifecycle: IngressLifecycle;
} {
  return { turnAdoptionLifecycle: lifecycle };
}

/** Which routes there are, without the switched-off ones. */
export function channelIngressRoutes(...routes: readonly unknown[]): readonly unknown[] {
  return routes.filter(Boolean);
}

/** How senders are known; the host compares ids letter for letter. */
export function defineStableChannelIngressIdentity<T>(identity: T): T {
  return identity;
}

/** Lets every message through to the host, which asks for pairing, checks lists and groups, and authorizes no commands. */
export function createChannelIngressResolver(_params?: ChannelFields): {
  message(params?: ChannelFields): Promise<ChannelFields>;
} {
  return { message: () => Promise.resolve(letThrough) };
}

/** The same, for one message. */
export function resolveStableChannelMessageIngress(_params?: ChannelFields): Promise<ChannelFields> {
  return Promise.resolve(letThrough);
}

const letThrough: ChannelFields = {
  ingress: { admission: 'dispatch', decision: 'allow', decisiveGateId: undefined },
  commandAccess: { authorized: false, shouldBlockControlCommand: false },
  routeAccess: { allowed: true, reason: undefined },
  senderAccess: { allowed: true, decision: 'allow', reason: undefined, reasonCode: undefined },
  activationAccess: { ran: false, allowed: true, shouldSkip: false },
};

interface PassiveAccount<T> {
  readonly abortSignal?: AbortSignal;
  start(): Promise<T> | T;
  stop?(started: T): unknown;
  onStop?(): unknown;
}

/** Runs an account until it is told to stop. */
export async function runPassiveAccountLifecycle<T>(account: PassiveAccount<T>): Promise<void> {
  const started = await account.start();
  try {
    await waitUntilAbort(account.abortSignal);
  } finally {
    await account.stop?.(started);
    await account.onStop?.();
  }
}

/** Resolves when the signal aborts; never without one. */
export async function waitUntilAbort(signal?: AbortSignal, onAbort?: () => unknown): Promise<void> {
  if (signal?.aborted !== true)
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
  await onAbort?.();
}

/** Sets what is known of an account, part by part. */
export function createAccountStatusSink(params: {
  readonly accountId: string;
  readonly setStatus: (next: ChannelFields) => void;
}): (patch: ChannelFields) => void {
  let known: ChannelFields = {};
  return (patch) => {
    known = { ...known, ...patch };
    params.setStatus({ ...known, accountId: params.accountId });
  };
}

/** A `runtime` with `log` and `error`: the given one, else the logger. */
export function resolveLoggerBackedRuntime(
  runtime: ChannelFields | undefined,
  logger: { info(message: string): void; error(message: string): void },
): ChannelFields {
  return (
    runtime ?? {
      log: (...args: readonly unknown[]) => logger.info(args.map(String).join(' ')),
      error: (...args: readonly unknown[]) => logger.error(args.map(String).join(' ')),
    }
  );
}

interface ReplyPayloadFields {
  readonly text?: string;
  readonly mediaUrl?: string;
  readonly mediaUrls?: readonly string[];
  readonly replyToId?: string;
}

/** Sends a text with the addresses of its attachments below; false where there is nothing to send. */
export async function deliverFormattedTextWithAttachments(params: {
  readonly payload: ReplyPayloadFields;
  send(message: { readonly text: string; readonly replyToId?: string | undefined }): Promise<unknown>;
}): Promise<boolean> {
  const { text = '', mediaUrl, mediaUrls = [], replyToId } = params.payload;
  const media = [...new Set([...(mediaUrl === undefined ? [] : [mediaUrl]), ...mediaUrls])];
  const all = [text, ...media.map((url) => `Attachment: ${url}`)].filter((line) => line.trim() !== '');
  if (all.length === 0) return false;
  await params.send({ text: all.join('\n\n'), replyToId });
  return true;
}

/** Each part of an answer names what it answers, or only the first one. */
export function createReplyToFanout(context: {
  readonly replyToId?: string | null;
  readonly replyToMode?: string;
}): () => string | undefined {
  let isFirst = true;
  return () => {
    const mayName = isFirst || context.replyToMode === 'all';
    isFirst = false;
    return mayName ? (context.replyToId ?? undefined) : undefined;
  };
}

/** Whether an account wants its answers in blocks while they are written; undefined where it does not say. */
export function resolveChannelStreamingBlockEnabled(config: unknown): boolean | undefined {
  const said = typeof config === 'object' && config !== null && 'blockStreaming' in config;
  return said && typeof config.blockStreaming === 'boolean' ? config.blockStreaming : undefined;
}

/** Names of senders are forgeable: they never count. */
export function isDangerousNameMatchingEnabled(_config?: unknown): boolean {
  return false;
}

/** How a dropped message of a group is called in the log. */
export const GROUP_POLICY_BLOCKED_LABEL = {
  group: 'group messages',
  guild: 'server messages',
  room: 'room messages',
  channel: 'channel messages',
  space: 'space messages',
} as const;

/** The host judges groups by the config alone; there is no fallback to warn of. */
export function warnMissingProviderGroupPolicyFallbackOnce(_params?: ChannelFields): boolean {
  return false;
}

/** A secret that is missing has kept the account from starting. */
export function assertSecretOwnerAvailable(_kind: string, _owner: string): void {
  // Nothing is left to check here.
}
