import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { SessionEntry, SessionSettings, CompactionEntry } from '../contracts/sessionEntry.ts';
import { closeOpenCalls } from './closeOpenCalls.ts';

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

export function createLines(given: readonly SessionEntry[]): Lines {
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

function readable(lines: readonly SessionEntry[], kept: Kept | undefined): readonly AgentMessage[] {
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
interface Kept {
  readonly summary: CompactionEntry;
  /** Index of the first entry that stays. */
  readonly from: number;
}

/** What the compactions of a conversation left; undefined where there was none. Pure. */
function keptFrom(entries: readonly SessionEntry[]): Kept | undefined {
  return entries.reduce<Kept | undefined>(
    (kept, entry, index) => (entry.type === 'compaction' ? keptAfter(kept, entries, entry, index) : kept),
    undefined,
  );
}

/**
 * What one more compaction, at `index`, leaves of a conversation of which `before` was left. What one has put away no later one
 * brings back. Pure.
 */
function keptAfter(
  before: Kept | undefined,
  entries: readonly SessionEntry[],
  summary: CompactionEntry,
  index: number,
): Kept {
  const start = before?.from ?? 0;
  if (summary.firstKeptId === null) return { summary, from: index + 1 };
  for (let at = index - 1; at >= start; at -= 1) {
    if (entries[at]?.id === summary.firstKeptId) return { summary, from: at };
  }
  return { summary, from: entries.some(({ id }) => id === summary.firstKeptId) ? start : index + 1 };
}
