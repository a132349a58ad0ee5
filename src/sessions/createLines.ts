import type { AgentMessage } from '../contracts/message.ts';
import type { SessionEntry, SessionSettings } from '../contracts/sessionEntry.ts';
import { closeOpenCalls } from './closeOpenCalls.ts';
import { keptAfter, keptFrom, type Kept } from './keptFrom.ts';
import { slimEntry } from './slimEntry.ts';

/** The lines of a conversation in memory. However long it is, a turn costs only what is read of it. */
export interface Lines {
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
