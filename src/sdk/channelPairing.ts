import { normalizeAccountId } from './accountId.ts';
import { isRecord } from './textHelpers.ts';

interface NotifyParams {
  readonly cfg: unknown;
  readonly id: string;
  readonly accountId?: string;
  readonly [more: string]: unknown;
}

/** The `pairing` adapter of a channel. */
export interface ChannelPairingAdapter {
  /** How the channel calls what it knows a sender by. */
  readonly idLabel: string;
  readonly normalizeAllowEntry?: ((entry: string) => string) | undefined;
  notifyApproval(params: NotifyParams): Promise<void>;
}

export interface TextPairingParams {
  readonly idLabel: string;
  /** What is sent who was let in. */
  readonly message: string;
  readonly normalizeAllowEntry?: (entry: string) => string;
  readonly notify: (params: NotifyParams & { readonly message: string }) => unknown;
}

/** One that sends a text. */
export function createTextPairingAdapter(params: TextPairingParams): ChannelPairingAdapter {
  const { idLabel, message, normalizeAllowEntry } = params;
  return {
    idLabel,
    normalizeAllowEntry,
    async notifyApproval(request) {
      await params.notify({ ...request, message });
    },
  };
}

/** Takes a prefix off entries of the allowlist, such as `line:`. */
export function createPairingPrefixStripper(
  prefix: RegExp,
  map: (entry: string) => string = (entry) => entry,
): (entry: string) => string {
  return (entry) => map(entry.trim().replace(prefix, '').trim());
}

/** For channels that can't write first: the log is told who was let in. */
export function createLoggedPairingApprovalNotifier(
  format: string | ((params: NotifyParams) => string),
  log: (message: string) => void = console.log,
): (params: NotifyParams) => Promise<void> {
  return async (params) => {
    log(typeof format === 'function' ? format(params) : format);
    return Promise.resolve();
  };
}

interface PairingRequest {
  readonly id: string | number;
  readonly meta?: Readonly<Record<string, string | undefined>>;
}

interface PairingCode {
  readonly code: string;
  readonly created: boolean;
}

/** What the host's `runtime.channel.pairing` does for these helpers. */
interface PairingStore {
  readAllowFromStore(params: { readonly channel: string; readonly accountId: string }): Promise<string[]>;
  upsertPairingRequest(
    params: PairingRequest & { readonly channel: string; readonly accountId: string },
  ): Promise<PairingCode>;
}

export interface PairingChallenge {
  readonly senderId: string;
  /** Which id the user sees, as a line of its own. */
  readonly senderIdLine: string;
  readonly meta?: Readonly<Record<string, string | undefined>>;
  readonly sendPairingReply: (text: string) => Promise<unknown>;
  readonly buildReplyText?: (params: { readonly code: string; readonly senderIdLine: string }) => string;
  readonly onCreated?: (params: { readonly code: string }) => void;
  readonly onReplyError?: (error: unknown) => void;
}

type Issue = (challenge: PairingChallenge) => Promise<{ readonly created: boolean; readonly code?: string }>;

/** Asks a sender who is not known to be let in: once, with a code for the user. */
export function createChannelPairingChallengeIssuer(params: {
  readonly channel: string;
  readonly accountId?: string;
  readonly upsertPairingRequest: (request: PairingRequest) => Promise<PairingCode>;
}): Issue {
  return async (challenge) => {
    const { senderId, senderIdLine, meta, buildReplyText, onReplyError } = challenge;
    const { code, created } = await params.upsertPairingRequest({
      id: senderId,
      ...(meta === undefined ? {} : { meta }),
    });
    // The same sender is answered once: whoever writes on and on gets no more than that.
    if (!created) return { created: false };
    challenge.onCreated?.({ code });
    const text =
      buildReplyText?.({ code, senderIdLine }) ??
      `This agent answers only people whom its owner lets in.\n${senderIdLine}\nCode: ${code}\nThe owner lets you in with: pincer channels pair ${code}`;
    try {
      await challenge.sendPairingReply(text);
    } catch (error) {
      if (onReplyError === undefined) throw error;
      onReplyError(error);
    }
    return { created: true, code };
  };
}

/** What one account of a channel needs to pair senders. */
export interface ChannelPairingController {
  readonly accountId: string;
  readAllowFromStore(): Promise<string[]>;
  readStoreForDmPolicy(channel: string, accountId: string): Promise<string[]>;
  upsertPairingRequest(request: PairingRequest): Promise<PairingCode>;
  issueChallenge: Issue;
}

/** Binds the host's pairings to one account. @throws Error where the host has none */
export function createChannelPairingController(params: {
  readonly core: unknown;
  readonly channel: string;
  readonly accountId: string;
}): ChannelPairingController {
  const { channel } = params;
  const accountId = normalizeAccountId(params.accountId);
  const store = pairingStoreOf(params.core);
  const upsertPairingRequest = (request: PairingRequest): Promise<PairingCode> =>
    store.upsertPairingRequest({ ...request, channel, accountId });
  return {
    accountId,
    readAllowFromStore: () => store.readAllowFromStore({ channel, accountId }),
    readStoreForDmPolicy: (ofChannel, ofAccount) =>
      store.readAllowFromStore({ channel: ofChannel, accountId: normalizeAccountId(ofAccount) }),
    upsertPairingRequest,
    issueChallenge: createChannelPairingChallengeIssuer({ channel, accountId, upsertPairingRequest }),
  };
}

function pairingStoreOf(core: unknown): PairingStore {
  const channel = isRecord(core) ? core['channel'] : undefined;
  const pairing = isRecord(channel) ? channel['pairing'] : undefined;
  if (!isRecord(pairing)) throw new Error('runtime.channel.pairing is not there: senders can not be paired.');
  return pairing as unknown as PairingStore;
}
