import type {
  AgentMessage,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolResultMessage,
} from '../contracts/message.ts';
import type {
  CompactionEntry,
  SessionEntry,
  SessionHeader,
  SessionSettings,
  TurnState,
} from '../contracts/session.ts';
import type { Clock, FileSystem } from '../host/ports.ts';

/** One conversation and its transcript. */
export interface Session {
  readonly id: string;
  /** What plugins know it by: `agent:<agent>:<channel>:<id>`. */
  readonly key: string;
  readonly agentId: string;
  readonly header: SessionHeader;
  /** Absolute path of its transcript. */
  readonly file: string;
  /** True until the first entry is stored. */
  readonly isNew: boolean;
  /**
   * What a model reads of the conversation, in order: after a compaction its summary and what stayed, else everything. Calls of
   * an interrupted turn are closed with an error result.
   */
  messages(): readonly AgentMessage[];
  /** Every line of the transcript, what was compacted included. */
  entries(): readonly SessionEntry[];
  /** Stores a message. Resolves to the id of its entry, once it is on disk. */
  append(message: AgentMessage): Promise<string>;
  /** Resolves once it is on disk; from then on `messages` is shorter. */
  compact(compaction: Omit<CompactionEntry, 'type' | 'id' | 'parentId'>): Promise<CompactionEntry>;
  /** What the user chose for this session; empty where nothing was. */
  settings(): SessionSettings;
  setSettings(settings: SessionSettings): Promise<void>;
  /** The name the user gave it; undefined where there is none. */
  name(): string | undefined;
  rename(name: string): Promise<void>;
  /** The session ended; a later turn takes it up again. */
  markEnd(reason: string): Promise<void>;
  markTurn(runId: string, state: TurnState): Promise<void>;
  /** What the user wrote in a turn, without what was attached to it; undefined where there is no such turn. */
  promptOf(runId: string): string | undefined;
  /** Everything that was stored before a turn began; undefined where there is no such turn. */
  before(runId: string): readonly SessionEntry[] | undefined;
  /** The last turn, when it started and never ended: the window was reloaded or the host was killed. */
  interruptedTurn(): { readonly runId: string } | undefined;
}

export interface SessionInput {
  readonly fs: FileSystem;
  readonly file: string;
  readonly clock: Clock;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  /** False where the file does not exist yet. */
  readonly stored: boolean;
}

export function createSession(input: SessionInput): Session {
  const entries = [...input.entries];
  let isNew = !input.stored;
  let writing = Promise.resolve();

  const store = (entry: SessionEntry): Promise<void> => {
    entries.push(entry);
    // The leading newline closes a line that a crash cut short.
    const text = isNew
      ? `${JSON.stringify(input.header)}\n${JSON.stringify(entry)}\n`
      : `\n${JSON.stringify(entry)}\n`;
    isNew = false;
    const written = writing.then(() => input.fs.append(input.file, text));
    // The caller hears of the failure through `written`; the chain only keeps the order.
    writing = written.catch(() => undefined);
    return written;
  };
  const nextIds = (): { id: string; parentId: string | null } => ({
    id: crypto.randomUUID(),
    parentId: entries.at(-1)?.id ?? null,
  });

  return {
    id: input.header.id,
    key: input.header.key,
    agentId: input.header.agentId,
    header: input.header,
    file: input.file,
    get isNew() {
      return isNew;
    },
    messages: () => closeOpenCalls(readableMessages(entries)),
    entries: () => entries,
    async append(message) {
      const ids = nextIds();
      await store({ type: 'message', ...ids, message });
      return ids.id;
    },
    async compact(compaction) {
      const entry: CompactionEntry = { type: 'compaction', ...nextIds(), ...compaction };
      await store(entry);
      return entry;
    },
    settings: () => entries.findLast((entry) => entry.type === 'settings')?.settings ?? {},
    setSettings: (settings) => store({ type: 'settings', ...nextIds(), settings }),
    name: () => entries.findLast((entry) => entry.type === 'name')?.name,
    rename: (name) => store({ type: 'name', ...nextIds(), name }),
    markEnd: (reason) => store({ type: 'end', ...nextIds(), reason, timestamp: input.clock.now() }),
    markTurn: (runId, state) => store({ type: 'turn', ...nextIds(), runId, state }),
    promptOf(runId) {
      const start = startOf(entries, runId);
      return start === undefined ? undefined : promptIn(entries.slice(start + 1));
    },
    before(runId) {
      const start = startOf(entries, runId);
      return start === undefined ? undefined : entries.slice(0, start);
    },
    interruptedTurn() {
      const last = entries.findLast((entry) => entry.type === 'turn');
      return last?.state === 'started' ? { runId: last.runId } : undefined;
    },
  };
}

/** After a compaction: its summary, then every message from the first one that stayed. Pure. */
function readableMessages(entries: readonly SessionEntry[]): readonly AgentMessage[] {
  const last = entries.findLastIndex((entry) => entry.type === 'compaction');
  const compaction = entries[last];
  if (compaction?.type !== 'compaction') return messagesIn(entries);
  const kept = entries.findIndex((entry) => entry.id === compaction.firstKeptId);
  const rest = kept === -1 ? entries.slice(last + 1) : entries.slice(kept);
  const text = `Summary of the conversation so far; what it stands for is no longer shown in full:\n\n${compaction.summary}`;
  const summary: AgentMessage = {
    role: 'user',
    content: [{ type: 'text', text, isContext: true }],
    timestamp: compaction.timestamp,
  };
  return [summary, ...messagesIn(rest)];
}

function messagesIn(entries: readonly SessionEntry[]): readonly AgentMessage[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

function startOf(entries: readonly SessionEntry[], runId: string): number | undefined {
  const start = entries.findIndex((entry) => entry.type === 'turn' && entry.runId === runId);
  return start === -1 ? undefined : start;
}

/** `entries` begin within the turn. */
function promptIn(entries: readonly SessionEntry[]): string | undefined {
  const next = entries.findIndex((entry) => entry.type === 'turn' && entry.state === 'started');
  const asked = (next === -1 ? entries : entries.slice(0, next)).flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'user' ? [entry.message] : [],
  )[0];
  return asked?.content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n');
}

/**
 * Model protocols refuse a tool call without a result and a result without its call. A turn that was cut off leaves such
 * calls behind; each gets an error result that says so. A plugin that keeps a call out of the transcript leaves its result
 * behind; it becomes text. Ids count within one answer only, since some servers number their calls anew each time. Pure.
 */
export function closeOpenCalls(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const closed: AgentMessage[] = [];
  const open = new Map<string, AgentMessage>();
  const close = (): void => {
    closed.push(...open.values());
    open.clear();
  };
  for (const message of messages) {
    if (message.role === 'toolResult') {
      closed.push(open.delete(message.toolCallId) ? message : asText(message));
      continue;
    }
    close();
    closed.push(message);
    if (message.role !== 'assistant') continue;
    for (const part of message.content) {
      if (part.type === 'toolCall') open.set(part.id, interrupted(part, message.timestamp));
    }
  }
  close();
  return closed;
}

function interrupted({ id, name }: ToolCallPart, timestamp: number): AgentMessage {
  const text = 'This call was interrupted and has no result. It may or may not have taken effect.';
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: name,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp,
  };
}

function asText({ toolName, content, timestamp }: ToolResultMessage): AgentMessage {
  const text = `Result of the tool ${toolName}, whose call is not in the transcript:`;
  return {
    role: 'user',
    content: [{ type: 'text', text, isContext: true }, ...content.map(asContext)],
    timestamp,
  };
}

/** What a tool returned are not the user's own words. */
function asContext(part: TextPart | ImagePart): TextPart | ImagePart {
  return part.type === 'text' ? { ...part, isContext: true } : part;
}
