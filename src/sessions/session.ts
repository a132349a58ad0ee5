import type { AgentMessage } from '../contracts/message.ts';
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
    interruptedTurn() {
      const last = entries.findLast((entry) => entry.type === 'turn');
      return last?.state === 'started' ? { runId: last.runId } : undefined;
    },
  };
}

/**
 * Model protocols refuse a tool call without a result. A turn that was cut off leaves such calls behind; each gets an error
 * result that says so. Pure.
 */
export function closeOpenCalls(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const answered = new Set(messages.flatMap((each) => (each.role === 'toolResult' ? [each.toolCallId] : [])));
  return messages.flatMap((message): readonly AgentMessage[] => {
    if (message.role !== 'assistant') return [message];
    const open = message.content.flatMap((part) =>
      part.type === 'toolCall' && !answered.has(part.id) ? [part] : [],
    );
    return [
      message,
      ...open.map((call): AgentMessage => ({
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content: [
          {
            type: 'text',
            text: 'This call was interrupted and has no result. It may or may not have taken effect.',
          },
        ],
        isError: true,
        timestamp: message.timestamp,
      })),
    ];
  });
}
