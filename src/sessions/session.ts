import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type {
  CompactionEntry,
  SessionEntry,
  SessionHeader,
  SessionSettings,
  TurnState,
} from '../contracts/sessionEntry.ts';
import type { PincerError } from '../base/errors.ts';
import type { Clock } from '../host/ports.ts';
import { sessionTenantFixed } from './sessionErrors.ts';
import type { TranscriptWriter } from './transcript/createTranscriptWriter.ts';
import { visibleToTenant, type SessionTenant } from './visibleToTenant.ts';
import { closeOpenCalls } from './closeOpenCalls.ts';

export { closeOpenCalls } from './closeOpenCalls.ts';

/** One conversation and its transcript. */
export interface Session {
  readonly id: string;
  /** What plugins know its chat by: `agent:<agent>:<channel>:<chat id>`. A session that comes in place of another one has its key. */
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
  /**
   * Every line of the transcript, what was compacted included; of that only what was said stays in memory. The file has all of it.
   */
  entries(): readonly SessionEntry[];
  /** Why nothing can be added to it; undefined where something can. */
  readonly problem?: string | undefined;
  /**
   * Stores a message, without secrets and capped. Resolves to the id of its entry and the message as it was stored, which is what
   * models read of it, once it is safely on disk.
   */
  append<M extends AgentMessage>(message: M): Promise<StoredMessage<M>>;
  /**
   * The same for who goes on meanwhile: the message counts from now on, and `saved` tells when, or why not, it is safely on disk.
   * `id` becomes the id of its entry, default a new one.
   */
  add<M extends AgentMessage>(message: M, id?: string): StoredMessage<M> & { readonly saved: Promise<void> };
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
  /** A turn begins: its mark goes to the disk with the next entry, which is what was said. */
  beginTurn(runId: string): void;
  /**
   * Gives a session in which nothing is stored yet to a tenant. One that has this tenant stays as it is.
   * @throws PincerError `session_tenant_fixed` where it belongs to another one, or to none and is no longer new
   */
  adopt(tenant: SessionTenant): void;
  /** What the user wrote in a turn, without what was attached to it; undefined where there is no such turn. */
  promptOf(runId: string): string | undefined;
  /** Everything that was stored before a turn began; undefined where there is no such turn. */
  before(runId: string): readonly SessionEntry[] | undefined;
  /** Takes in what other processes have added to the transcript; gives how many messages. @throws PincerError `io_*` */
  catchUp(): Promise<number>;
  /** The last turn, when it started and never ended: the window was reloaded or the host was killed. */
  interruptedTurn(): { readonly runId: string } | undefined;
}

interface StoredMessage<M extends AgentMessage = AgentMessage> {
  /** Of its entry. */
  readonly id: string;
  readonly message: M;
}

interface SessionInput {
  /** Absolute path of its transcript. */
  readonly file: string;
  readonly clock: Clock;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
  /** False where the file does not exist yet. */
  readonly stored: boolean;
  readonly writer: TranscriptWriter;
  /** All lines of the file where others have added some since the last time, else none. @throws PincerError `io_*` */
  readonly readNewer: () => Promise<readonly SessionEntry[]>;
  /** A line as it may be stored. */
  readonly protect: (entry: SessionEntry) => SessionEntry;
  /** Why nothing can be stored now. */
  readonly refusal: () => PincerError | undefined;
  /** A line is on disk. */
  readonly onStored: (entry: SessionEntry) => void;
}

export function createSession(input: SessionInput): Session {
  const { writer } = input;
  const { id, key, agentId } = input.header;
  let { header } = input;
  const lines = createLines(input.entries);
  let isNew = !input.stored;

  const take = (given: SessionEntry): SessionEntry => {
    const refusal = input.refusal();
    if (refusal !== undefined) throw refusal;
    const entry = input.protect(given);
    isNew = false;
    lines.add(entry);
    return entry;
  };
  const put = (given: SessionEntry): { readonly entry: SessionEntry; readonly saved: Promise<void> } => {
    const entry = take(given);
    const saved = writer.write(JSON.stringify(entry)).then(() => input.onStored(entry));
    return { entry, saved };
  };
  const store = async (entry: SessionEntry): Promise<void> => {
    await put(entry).saved;
  };
  const nextIds = (): { id: string; parentId: string | null } => ({
    id: crypto.randomUUID(),
    parentId: lines.all().at(-1)?.id ?? null,
  });

  const add: Session['add'] = <M extends AgentMessage>(given: M, messageId?: string) => {
    const ids = { ...nextIds(), ...(messageId === undefined ? {} : { id: messageId }) };
    const { entry, saved } = put({ type: 'message', ...ids, message: given });
    // Taking secrets out and capping leave the kind of a message as it is.
    return { id: ids.id, message: (entry.type === 'message' ? entry.message : given) as M, saved };
  };

  return {
    id,
    key,
    agentId,
    get header() {
      return header;
    },
    file: input.file,
    get isNew() {
      return isNew;
    },
    get problem() {
      return input.refusal()?.message;
    },
    messages: () => lines.messages(),
    entries: () => lines.all(),
    add,
    async append(given) {
      const { saved, ...stored } = add(given);
      await saved;
      return stored;
    },
    async compact(compaction) {
      const entry: CompactionEntry = { type: 'compaction', ...nextIds(), ...compaction };
      await store(entry);
      return entry;
    },
    settings: () => lines.settings(),
    setSettings: (settings) => store({ type: 'settings', ...nextIds(), settings }),
    name: () => lines.name(),
    rename: (name) => store({ type: 'name', ...nextIds(), name }),
    markEnd: (reason) => store({ type: 'end', ...nextIds(), reason, timestamp: input.clock.now() }),
    markTurn: (runId, state) => store({ type: 'turn', ...nextIds(), runId, state }),
    beginTurn(runId) {
      // Whoever stores what was said hears why nothing can be stored.
      if (input.refusal() !== undefined) return;
      writer.hold(JSON.stringify(take({ type: 'turn', ...nextIds(), runId, state: 'started' })));
    },
    adopt(tenant) {
      if (visibleToTenant(header, tenant)) return;
      if (!isNew || header.tenant?.tenantId !== undefined) throw sessionTenantFixed(id);
      header = { ...header, tenant };
    },
    promptOf(runId) {
      const start = startOf(lines.all(), runId);
      return start === undefined ? undefined : promptIn(lines.all().slice(start + 1));
    },
    before(runId) {
      const start = startOf(lines.all(), runId);
      return start === undefined ? undefined : lines.all().slice(0, start);
    },
    async catchUp() {
      const found = await input.readNewer();
      const known = new Set(lines.all().map((entry) => entry.id));
      const added = found.filter((entry) => !known.has(entry.id));
      for (const entry of added) lines.add(entry);
      return added.filter((entry) => entry.type === 'message').length;
    },
    interruptedTurn() {
      const last = lines.all().findLast((entry) => entry.type === 'turn');
      return last?.state === 'started' ? { runId: last.runId } : undefined;
    },
  };
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

/** The lines of a conversation in memory. However long it is, a turn costs only what is read of it. */
interface Lines {
  /** All of them; of what a compaction stands for, only what was said. */
  all(): readonly SessionEntry[];
  add(entry: SessionEntry): void;
  /** What a model reads: after a compaction its summary and what stayed. */
  messages(): readonly AgentMessage[];
  settings(): SessionSettings;
  name(): string | undefined;
}

function createLines(given: readonly SessionEntry[]): Lines {
  let kept = keptFrom(given);
  const lines = given.map((entry, index) => (index < (kept?.from ?? 0) ? slimEntry(entry) : entry));
  let settings = lines.findLast((entry) => entry.type === 'settings')?.settings ?? {};
  let name = lines.findLast((entry) => entry.type === 'name')?.name;
  return {
    all: () => lines,
    add(entry) {
      lines.push(entry);
      if (entry.type === 'settings') ({ settings } = entry);
      if (entry.type === 'name') ({ name } = entry);
      if (entry.type !== 'compaction') return;
      const before = kept?.from ?? 0;
      kept = keptAfter(kept, lines, entry, lines.length - 1);
      for (const [index, line] of lines.slice(before, kept.from).entries())
        lines[before + index] = slimEntry(line);
    },
    messages: () => closeOpenCalls(readable(lines, kept)),
    settings: () => settings,
    name: () => name,
  };
}

function readable(lines: readonly SessionEntry[], kept: CompactionCut | undefined): readonly AgentMessage[] {
  if (kept === undefined) return messagesIn(lines);
  const text = `Summary of the conversation so far; what it stands for is no longer shown in full:\n\n${kept.summary.summary}`;
  const summary: AgentMessage = {
    role: 'user',
    content: [{ type: 'text', text, isContext: true }],
    timestamp: kept.summary.timestamp,
  };
  return [summary, ...messagesIn(lines.slice(kept.from))];
}

function messagesIn(lines: readonly SessionEntry[]): readonly AgentMessage[] {
  return lines.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

/**
 * A line without the weight of what no model reads any more, since a compaction stands for it: what was said stays; attachments,
 * thoughts and what tools were given and returned go. A day of work then takes no more memory than its last hour. The file keeps
 * all of it, and whoever forks or exports reads the file. Pure.
 */
function slimEntry(entry: SessionEntry): SessionEntry {
  return entry.type === 'message' ? { ...entry, message: slim(entry.message) } : entry;
}

function slim(message: AgentMessage): AgentMessage {
  switch (message.role) {
    case 'user': {
      const content = message.content.filter((part) => part.type === 'text' && part.isContext !== true);
      return { ...message, content };
    }
    case 'assistant':
      return { ...message, content: message.content.flatMap(slimPart) };
    case 'toolResult': {
      const { details: _details, ...rest } = message;
      return { ...rest, content: [] };
    }
  }
}

function slimPart(part: AssistantMessage['content'][number]): AssistantMessage['content'] {
  if (part.type === 'thinking') return [];
  return part.type === 'text' ? [part] : [{ type: part.type, id: part.id, name: part.name, arguments: {} }];
}

/** From where on the conversation stays as it was, and the summary of what comes before. */
interface CompactionCut {
  readonly summary: CompactionEntry;
  /** Index of the first entry that stays. */
  readonly from: number;
}

/** What the compactions of a conversation left; undefined where there was none. Pure. */
function keptFrom(entries: readonly SessionEntry[]): CompactionCut | undefined {
  return entries.reduce<CompactionCut | undefined>(
    (kept, entry, index) => (entry.type === 'compaction' ? keptAfter(kept, entries, entry, index) : kept),
    undefined,
  );
}

/**
 * What one more compaction, at `index`, leaves of a conversation of which `before` was left. What one has put away no later one
 * brings back. Pure.
 */
function keptAfter(
  before: CompactionCut | undefined,
  entries: readonly SessionEntry[],
  summary: CompactionEntry,
  index: number,
): CompactionCut {
  const start = before?.from ?? 0;
  if (summary.firstKeptId === null) return { summary, from: index + 1 };
  for (let at = index - 1; at >= start; at -= 1) {
    if (entries[at]?.id === summary.firstKeptId) return { summary, from: at };
  }
  return { summary, from: entries.some(({ id }) => id === summary.firstKeptId) ? start : index + 1 };
}
