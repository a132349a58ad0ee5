import type {
  AgentMessage,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolResultMessage,
} from '../contracts/message.ts';
import type { SessionEntry, SessionHeader, TurnState } from '../contracts/session.ts';
import type { FileSystem } from '../host/ports.ts';

/** One conversation and its transcript. */
export interface Session {
  readonly id: string;
  /** What plugins know it by: `agent:main:<id>`. */
  readonly key: string;
  /** True until the first entry is stored. */
  readonly isNew: boolean;
  /** Everything said so far, in order; calls of an interrupted turn are closed with an error result. */
  messages(): readonly AgentMessage[];
  /** Stores a message. Resolves once it is on disk. */
  append(message: AgentMessage): Promise<void>;
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
    key: `agent:main:${input.header.id}`,
    get isNew() {
      return isNew;
    },
    messages: () =>
      closeOpenCalls(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))),
    append: (message) => store({ type: 'message', ...nextIds(), message }),
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
