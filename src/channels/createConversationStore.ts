import { z } from 'zod';
import { inertLine } from '../base/text.ts';
import { conversationUnknown } from './channelErrors.ts';
import { createSharedFile, type SharedFileDeps } from './sharedFile.ts';

const conversationSchema = z.strictObject({
  /** The session key: one for each peer. */
  id: z.string(),
  channel: z.string(),
  accountId: z.string(),
  kind: z.enum(['direct', 'group', 'channel']),
  peerId: z.string(),
  title: z.string(),
  agentId: z.string(),
  /** Where an answer goes, in the channel's words. */
  to: z.string(),
  threadId: z.string().optional(),
  lastAt: z.number(),
  lastText: z.string(),
  unread: z.number(),
  isTakenOver: z.boolean(),
  isMuted: z.boolean(),
});

const stateSchema = z.strictObject({ version: z.literal(1), conversations: z.array(conversationSchema) });

/** What is kept of a conversation beside its session. */
export type Conversation = Readonly<z.infer<typeof conversationSchema>>;

/** Conversations on disk; all windows and programs of the workspace share them. */
export interface ConversationStore {
  list(): Promise<readonly Conversation[]>;
  find(id: string): Promise<Conversation | undefined>;
  /** A message came in. */
  note(
    facts: Pick<
      Conversation,
      'id' | 'channel' | 'accountId' | 'kind' | 'peerId' | 'title' | 'agentId' | 'to'
    > & {
      readonly threadId?: string;
    },
    text: string,
  ): Promise<Conversation>;
  /** @throws PincerError `conversation_unknown` */
  set(
    id: string,
    change: Partial<Pick<Conversation, 'isTakenOver' | 'isMuted' | 'unread' | 'lastText' | 'lastAt'>>,
  ): Promise<void>;
}

/** The oldest go, but for those that were muted or taken over. */
const maxConversations = 500;

export function createConversationStore(
  deps: Pick<SharedFileDeps<z.infer<typeof stateSchema>>, 'fs' | 'clock' | 'owner' | 'file' | 'report'>,
): ConversationStore {
  const file = createSharedFile<z.infer<typeof stateSchema>>({
    ...deps,
    what: 'The list of conversations',
    empty: { version: 1, conversations: [] },
    parse: (value) => stateSchema.safeParse(value).data,
  });
  return {
    list: async () => (await file.read()).conversations.toSorted((a, b) => b.lastAt - a.lastAt),
    find: async (id) => (await file.read()).conversations.find((each) => each.id === id),
    note: (facts, text) =>
      file.change(({ conversations }) => {
        const before = conversations.find(({ id }) => id === facts.id);
        const { isTakenOver = false, isMuted = false, unread = 0 } = before ?? {};
        const noted: Conversation = {
          ...facts,
          title: inertLine(facts.title, 80),
          lastAt: deps.clock.now(),
          // Of a muted conversation nothing is kept.
          lastText: isMuted ? '' : inertLine(text, 120),
          unread: isMuted ? unread : unread + 1,
          isTakenOver,
          isMuted,
        };
        const others = conversations.filter(({ id }) => id !== facts.id);
        return { next: { version: 1, conversations: pruned([...others, noted]) }, result: noted };
      }),
    set: (id, change) =>
      file.change(({ conversations }) => {
        if (!conversations.some((each) => each.id === id)) throw conversationUnknown(id);
        const next = conversations.map((each) => (each.id === id ? { ...each, ...change } : each));
        return { next: { version: 1, conversations: next }, result: undefined };
      }),
  };
}

function pruned(conversations: readonly Conversation[]): Conversation[] {
  const excess = conversations.length - maxConversations;
  if (excess <= 0) return [...conversations];
  const going = new Set(
    conversations
      .filter(({ isMuted, isTakenOver }) => !isMuted && !isTakenOver)
      .toSorted((a, b) => a.lastAt - b.lastAt)
      .slice(0, excess),
  );
  return conversations.filter((each) => !going.has(each));
}
