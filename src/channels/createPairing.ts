// Threat: a stranger gets in, or keeps the user busy. So a code is random, expires, and is approved by a person alone; only a few wait at
// one time; and an id counts letter for letter, as its channel gives it.
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { inertLine } from '../base/text.ts';
import { pairingUnknown } from './channelErrors.ts';
import type { PairedSender, PairingRequest } from './channels.ts';
import { createSharedFile, type SharedFileDeps } from './sharedFile.ts';

const place = {
  channel: z.string(),
  accountId: z.string(),
  senderId: z.string(),
  senderName: z.string().optional(),
};
const stateSchema = z.strictObject({
  version: z.literal(1),
  requests: z.array(
    z.strictObject({ ...place, code: z.string(), createdAt: z.number(), expiresAt: z.number() }),
  ),
  paired: z.array(z.strictObject({ ...place, isOwner: z.boolean(), pairedAt: z.number() })),
});

type State = z.infer<typeof stateSchema>;

/** Who writes: what its channel says of it. */
export interface SenderAddress {
  readonly channel: string;
  readonly accountId: string;
  readonly senderId: string;
}

interface RequestedPairing {
  readonly request: PairingRequest;
  /** False where it waited before. */
  readonly created: boolean;
}

/** Who may write, on disk: all windows and programs of the workspace share it. Rejects with `io_*`, `channel_state_unreadable`, `channel_state_locked`. */
export interface Pairing {
  /** Undefined for nobody that was let in. */
  readonly find: (sender: SenderAddress) => Promise<PairedSender | undefined>;
  /** The same sender keeps its code; undefined where too many wait. */
  readonly request: (
    sender: SenderAddress & { readonly senderName?: string },
  ) => Promise<RequestedPairing | undefined>;
  readonly requests: () => Promise<readonly PairingRequest[]>;
  readonly approve: (code: string, isOwner: boolean) => Promise<PairedSender>;
  readonly deny: (code: string) => Promise<void>;
  readonly paired: () => Promise<readonly PairedSender[]>;
  readonly unpair: (channel: string, senderId: string, accountId?: string) => Promise<void>;
}

const codeLength = 8;
/** Without what is mistaken for something else. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeTtlMs = 60 * 60_000;
/** Of one account that wait at one time (upstream). */
const maxRequests = 3;
const maxPaired = 500;

export function createPairing(
  deps: Pick<SharedFileDeps<State>, 'fs' | 'clock' | 'owner' | 'file' | 'report'>,
): Pairing {
  const { clock } = deps;
  const file = createSharedFile<State>({
    ...deps,
    what: 'The list of paired senders',
    empty: { version: 1, requests: [], paired: [] },
    parse: (value) => stateSchema.safeParse(value).data,
  });
  const alive = ({ requests }: State): State['requests'] =>
    requests.filter(({ expiresAt }) => expiresAt > clock.now());
  const takeRequest = (now: State, code: string): State['requests'][number] => {
    const wanted = code.trim().toUpperCase();
    const request = alive(now).find((each) => each.code === wanted);
    if (request === undefined) throw pairingUnknown(code);
    return request;
  };
  return {
    async find(sender) {
      return (await file.read()).paired.find((each) => isSame(each, sender));
    },
    async request(sender) {
      const known = alive(await file.read());
      const before = known.find((each) => isSame(each, sender));
      if (before !== undefined) return { request: before, created: false };
      return await file.change<RequestedPairing | undefined>((now) => {
        const waiting = alive(now);
        const own = waiting.find((each) => isSame(each, sender));
        if (own !== undefined)
          return { next: { ...now, requests: waiting }, result: { request: own, created: false } };
        const { channel, accountId, senderId, senderName } = sender;
        const ofAccount = waiting.filter((each) => each.channel === channel && each.accountId === accountId);
        if (ofAccount.length >= maxRequests)
          return { next: { ...now, requests: waiting }, result: undefined };
        const createdAt = clock.now();
        const request = {
          channel,
          accountId,
          senderId,
          ...(senderName === undefined ? {} : { senderName: inertLine(senderName, 60) }),
          code: newCode(),
          createdAt,
          expiresAt: createdAt + codeTtlMs,
        };
        return { next: { ...now, requests: [...waiting, request] }, result: { request, created: true } };
      });
    },
    requests: async () => alive(await file.read()),
    approve: (code, isOwner) =>
      file.change((now) => {
        const { code: _code, createdAt: _createdAt, expiresAt: _expiresAt, ...who } = takeRequest(now, code);
        const paired = { ...who, isOwner, pairedAt: clock.now() };
        const others = now.paired.filter((each) => !isSame(each, paired));
        return {
          next: {
            ...now,
            requests: alive(now).filter((each) => !isSame(each, paired)),
            paired: [...others.slice(-(maxPaired - 1)), paired],
          },
          result: paired,
        };
      }),
    deny: (code) =>
      file.change((now) => {
        const request = takeRequest(now, code);
        return {
          next: { ...now, requests: alive(now).filter((each) => each !== request) },
          result: undefined,
        };
      }),
    paired: async () => (await file.read()).paired,
    unpair: (channel, senderId, accountId) =>
      file.change((now) => {
        const kept = now.paired.filter(
          (each) =>
            each.channel !== channel ||
            each.senderId !== senderId ||
            (accountId !== undefined && each.accountId !== accountId),
        );
        if (kept.length === now.paired.length) throw pairingUnknown(senderId);
        return { next: { ...now, paired: kept }, result: undefined };
      }),
  };
}

function isSame(a: SenderAddress, b: SenderAddress): boolean {
  return a.channel === b.channel && a.accountId === b.accountId && a.senderId === b.senderId;
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)] ?? 'A').join('');
}
