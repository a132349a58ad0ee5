// Threat: a crash loses a message that its channel believes taken, or answers one twice; a sender sends the same one again and again. So a
// message stands on the disk before its channel is told that it was taken, what became of it stands there before anything of it is sent, and
// its id is known for a long time.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createSerialQueue } from '../base/createSerialQueue.ts';
import { parseJson } from '../base/json.ts';
import { ifMissing } from '../host/ifMissing.ts';
import type { Clock, FileSystem } from '../host/ports.ts';

/**
 * `taken`: it waits. `begun`: its turn has begun. `sending`: its answer is on the way. `done`: nothing is left to do. `told`: it was cut
 * off, and its sender is told so.
 */
type MessageState = 'taken' | 'begun' | 'sending' | 'done' | 'told';

/** A message as it waits on the disk, so that it can be answered after a restart. */
const messageSchema = z.strictObject({
  channel: z.string(),
  accountId: z.string(),
  kind: z.enum(['direct', 'group', 'channel']),
  peerId: z.string(),
  /** Where the answer goes. */
  to: z.string(),
  threadId: z.string().optional(),
  parentPeerId: z.string().optional(),
  guildId: z.string().optional(),
  teamId: z.string().optional(),
  roles: z.array(z.string()).optional(),
  messageId: z.string(),
  senderId: z.string(),
  senderName: z.string().optional(),
  title: z.string(),
  text: z.string(),
  /** Paths of media that was kept for it. */
  media: z.array(z.strictObject({ path: z.string().optional(), type: z.string() })),
  wasMentioned: z.boolean().optional(),
  /** Who wrote it, where its sender only brings it. */
  forwardedFrom: z.string().optional(),
  /** What it answers. */
  replyTo: z.strictObject({ sender: z.string().optional(), text: z.string() }).optional(),
  timestamp: z.number().optional(),
});

export type InboundMessage = Readonly<z.infer<typeof messageSchema>>;

const lineSchema = z.strictObject({
  key: z.string(),
  channel: z.string().optional(),
  state: z.enum(['taken', 'begun', 'sending', 'done', 'told']),
  at: z.number(),
  /** When its turn began; of one that is over, too. */
  begunAt: z.number().optional(),
  /** Its sender is not one that the user has let in by name. */
  ofStranger: z.boolean().optional(),
  message: messageSchema.optional(),
});

type Line = z.infer<typeof lineSchema>;

/** How many turns of a channel may begin within 24 hours. */
interface DayLimit {
  readonly all: number;
  /** Those of strangers together, where the message is from one. */
  readonly strangers?: number;
}

export interface UnfinishedMessage {
  readonly key: string;
  readonly state: MessageState;
  readonly message: InboundMessage;
}

/** One process writes it at a time: who serves the channels. Rejects with `io_*`. */
export interface MessageJournal {
  /** Reads what an earlier process has left; those whose end is missing, oldest first. Once, before anything else. */
  open(): Promise<readonly UnfinishedMessage[]>;
  /** Writes a message down before it is acknowledged; undefined where it was taken before. */
  take(message: InboundMessage): Promise<string | undefined>;
  /**
   * Marks the turn of a message as begun; false where its channel has reached a limit. Counting and marking are one step: turns that
   * wait beside each other can't pass the limit together.
   */
  begin(key: string, limit: DayLimit): Promise<boolean>;
  mark(key: string, state: Exclude<MessageState, 'taken' | 'begun'>): Promise<void>;
}

/** Ids that are known; the oldest are forgotten first, but for those whose turns still count. */
const maxKnown = 5_000;
/** How long a turn counts, for the limit of a day. */
const turnCountsMs = 24 * 60 * 60_000;
/** The file is written anew beyond so many lines, and where it has grown by so much: what is over needs little of that. */
const maxLines = 25_000;
const maxGrowth = 8_000_000;
const maxBytes = 64_000_000;

export function createMessageJournal({
  fs,
  clock,
  file,
}: {
  readonly fs: Pick<FileSystem, 'readText' | 'appendDurably' | 'writeFile'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Absolute path. */
  readonly file: string;
}): MessageJournal {
  /** Oldest first. */
  const known = new Map<string, Line & { readonly channel: string }>();
  let lines = 0;
  /** Bytes since it was written anew. */
  let growth = 0;
  const inTurn = createSerialQueue();
  const keep = (line: Line): void => {
    const before = known.get(line.key);
    const message = line.message ?? before?.message;
    const channel = message?.channel ?? line.channel ?? before?.channel ?? '';
    const isOver = line.state === 'done' || line.state === 'told';
    // Of what is over its words are not kept.
    const begunAt = line.begunAt ?? before?.begunAt ?? (line.state === 'begun' ? line.at : undefined);
    const ofStranger = line.ofStranger ?? before?.ofStranger;
    known.set(line.key, { ...line, begunAt, ofStranger, channel, message: isOver ? undefined : message });
    for (const [key, { state, begunAt: at = -Infinity }] of known) {
      if (known.size <= maxKnown) break;
      if ((state === 'done' || state === 'told') && at < line.at - turnCountsMs) known.delete(key);
    }
  };
  const rewrite = async (): Promise<void> => {
    const text = [...known.values()].map((line) => `${JSON.stringify(line)}\n`).join('');
    await fs.writeFile(file, text, 'private');
    lines = known.size;
    growth = 0;
  };
  const write = async (line: Line): Promise<void> => {
    const text = `${JSON.stringify(line)}\n`;
    await fs.appendDurably(file, text, 'private');
    keep(line);
    lines += 1;
    growth += Buffer.byteLength(text);
    if (lines > maxLines || growth > maxGrowth) await rewrite();
  };
  return {
    async open() {
      await inTurn(async () => {
        known.clear();
        for (const text of (await fs.readText(file, maxBytes).catch(ifMissing(''))).split('\n')) {
          // The end of the last line may be missing: what it says was never acknowledged.
          const line = lineSchema.safeParse(parseJson(text)).data;
          if (line !== undefined) keep(line);
        }
        await rewrite();
      });
      return [...known].flatMap(([key, { state, message }]) =>
        message === undefined ? [] : [{ key, state, message }],
      );
    },
    async take(message) {
      const key = keyOf(message);
      return await inTurn(async () => {
        if (known.has(key)) return undefined;
        await write({ key, state: 'taken', at: clock.now(), message });
        return key;
      });
    },
    begin: (key, { all, strangers }) =>
      inTurn(async () => {
        const at = clock.now();
        const channel = known.get(key)?.channel;
        const begun = [...known.values()].filter(
          (each) => each.channel === channel && (each.begunAt ?? -Infinity) >= at - turnCountsMs,
        );
        const ofStranger = strangers !== undefined;
        const besides = begun.filter((each) => each.ofStranger === true).length;
        if (begun.length >= all || (ofStranger && besides >= strangers)) return false;
        await write({ key, state: 'begun', at, ...(ofStranger ? { ofStranger } : {}) });
        return true;
      }),
    mark: (key, state) => inTurn(() => write({ key, state, at: clock.now() })),
  };
}

/** By what a channel names a message in its conversation. Pure. */
function keyOf({ channel, accountId, kind, peerId, threadId, messageId }: InboundMessage): string {
  return createHash('sha256')
    .update(JSON.stringify([channel, accountId, kind, peerId, threadId ?? null, messageId]))
    .digest('hex')
    .slice(0, 32);
}
