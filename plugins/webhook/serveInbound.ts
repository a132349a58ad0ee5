// Threat: whoever can reach the gateway sends requests without a secret, slowly and many. So only what is signed has one of the places in
// which messages are taken over, and of requests that are still being read the oldest makes room for the next: who has something to say is
// read in a moment.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookAccount } from './account.ts';
import { headers, type SignedRequest, type Verdict } from './signature.ts';

/** A message as the other side sends it. */
export interface WebhookMessage {
  readonly id: string;
  readonly senderId: string;
  readonly senderName: string | undefined;
  readonly groupId: string | undefined;
  readonly threadId: string | undefined;
  readonly wasMentioned: boolean;
  readonly text: string;
}

/** An account that runs. */
export interface LiveAccount {
  readonly account: WebhookAccount;
  readonly verify: (request: SignedRequest) => Verdict;
  /** Resolves once the message is kept, or dropped because there are too many. Rejects where it could not be kept. */
  readonly takeOver: (message: WebhookMessage) => Promise<'taken' | 'dropped'>;
  readonly warn: (text: string) => void;
}

const maxText = 16_000;
/** The host takes addresses of 200 characters: a longer one would be refused there, and sent again and again. */
const maxName = 200 - 'webhook:group:'.length;
/** Messages that are taken over at one time. */
const maxAtOnce = 8;
/** Requests that are read at one time. */
const maxReading = 64;
const refusalsMs = 60_000;
const statusOf: Readonly<Record<Exclude<Verdict, 'ok'>, number>> = {
  unsigned: 401,
  forged: 401,
  late: 401,
  replayed: 409,
  busy: 503,
};

/** `POST /webhook/<account>`; 202 once the message is kept. */
export function createInboundHandler(
  accounts: ReadonlyMap<string, LiveAccount>,
  now: () => number,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const reading = new Set<IncomingMessage>();
  /** When refusals of an account were told last, and how many there were since. */
  const refusals = new WeakMap<LiveAccount, { readonly at: number; readonly since: number }>();
  let atOnce = 0;

  /** Once a minute: whoever can't sign must not push all else out of the log. */
  const tellRefused = (live: LiveAccount, verdict: Verdict): void => {
    const { at, since } = refusals.get(live) ?? { at: -Infinity, since: 0 };
    const isDue = now() - at >= refusalsMs;
    refusals.set(live, isDue ? { at: now(), since: 0 } : { at, since: since + 1 });
    if (isDue)
      live.warn(`a request was refused: ${verdict}${since === 0 ? '' : `, and ${String(since)} before it`}`);
  };

  const read = async (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> => {
    const [oldest] = reading;
    if (reading.size >= maxReading) oldest?.destroy();
    reading.add(request);
    try {
      return await readUpTo(request, maxBytes);
    } finally {
      reading.delete(request);
    }
  };
  const takeOver = async (
    { takeOver: take, warn }: LiveAccount,
    message: WebhookMessage,
  ): Promise<Answer> => {
    atOnce += 1;
    try {
      if ((await take(message)) === 'taken') return [202, 'taken'];
      return [429, 'too many at once: send it again later'];
    } catch (error) {
      warn(`a message could not be taken: ${error instanceof Error ? error.message : 'unknown error'}`);
      return [503, 'not taken: send it again'];
    } finally {
      atOnce -= 1;
    }
  };
  const serve = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const live = accounts.get(pathname.replace(/^\/webhook\//u, ''));
    if (live === undefined) return [404, 'there is no such account'];
    if (request.method !== 'POST') return [405, 'only POST is served'];
    let body: Buffer | undefined;
    try {
      body = await read(request, live.account.maxBytes);
    } catch {
      // Nobody is there any more to be told.
      return [400, 'cut off'];
    }
    if (body === undefined) return [413, 'too large'];
    // Before its nonce counts: it may come again.
    if (atOnce >= maxAtOnce) return [503, 'busy'];
    const verdict = live.verify({
      timestamp: headerOf(request, headers.timestamp),
      nonce: headerOf(request, headers.nonce),
      signature: headerOf(request, headers.signature),
      body,
    });
    if (verdict !== 'ok') {
      tellRefused(live, verdict);
      return [statusOf[verdict], verdict];
    }
    const message = readMessage(body);
    return message === undefined ? [400, 'needs id, from and text'] : await takeOver(live, message);
  };

  return async (request, response) => {
    const [status, said] = await serve(request);
    answer(response, status, said);
  };
}

type Answer = readonly [status: number, said: string];

/** Undefined above the limit; no more than that is ever held. */
async function readUpTo(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function headerOf({ headers: given }: IncomingMessage, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

/** Undefined where it is none. Pure. */
export function readMessage(body: Uint8Array): WebhookMessage | undefined {
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    // No JSON is no message.
    return undefined;
  }
  if (typeof given !== 'object' || given === null) return undefined;
  const fields = given as Readonly<Record<string, unknown>>;
  const name = (key: string): string | undefined => {
    const value = fields[key];
    if (typeof value !== 'string' || value.length > maxName) return undefined;
    // Letter for letter: with white space cut off, one sender would pass for another.
    return /^(?!\s)[^\u0000-\u001f\u007f\p{Cs}]+(?<!\s)$/u.test(value) ? value : undefined;
  };
  const { text } = fields;
  const [id, senderId, groupId] = [name('id'), name('from'), name('group')];
  if (id === undefined || senderId === undefined || typeof text !== 'string') return undefined;
  // One of a group that has no name is none of a conversation of two.
  if (groupId === undefined && fields['group'] !== undefined && fields['group'] !== null) return undefined;
  // Addresses begin so: an answer to such a sender would reach the one without it.
  if ([senderId, groupId].some((each) => /^webhook:/iu.test(each ?? ''))) return undefined;
  if (text.trim() === '' || text.length > maxText) return undefined;
  return {
    id,
    senderId,
    senderName: name('name'),
    groupId,
    threadId: name('thread'),
    wasMentioned: fields['mentioned'] === true,
    text,
  };
}

function answer(response: ServerResponse, status: number, said: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end(JSON.stringify({ status: said }));
}
