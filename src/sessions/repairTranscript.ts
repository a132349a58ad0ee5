import type { SessionHeader, SessionKind } from '../contracts/sessionEntry.ts';
import { currentVersion } from './migrations/migrations.ts';
import { buildSessionKey } from './sessionKey.ts';
import { parseTranscript } from './transcript/parseTranscript.ts';
import { readTranscriptLine } from './transcript/readTranscriptLine.ts';

/** What the first line can't tell any more. */
interface RepairFacts {
  readonly id: string;
  /** The surface: `vscode`, `cli`. */
  readonly channel: string;
  readonly folders: readonly string[];
  /** When the session was made, as far as anybody knows: milliseconds since the epoch. */
  readonly createdAt: number;
}

type Repair =
  /** Its first line can be read. */
  | { readonly kind: 'in order' }
  /** It was somebody's, and whose is lost: in order again, everybody would see it. */
  | { readonly kind: 'tenant lost' }
  | { readonly kind: 'mended'; readonly text: string };

/**
 * A transcript whose first line can't be read, with a new one in its place. What the old line still tells is kept: agent, kind, time.
 * Every other line stays as it is. Pure.
 */
export function repairTranscript(text: string, facts: RepairFacts): Repair {
  if (parseTranscript(text).header !== undefined) return { kind: 'in order' };
  const lines = text.split('\n');
  const [first = ''] = lines;
  if (/tenant/iu.test(first)) return { kind: 'tenant lost' };
  const isEntry = readTranscriptLine(first, currentVersion).kind === 'entry';
  const header = JSON.stringify(headerFrom(isEntry ? '' : first, facts));
  return { kind: 'mended', text: [header, ...(isEntry ? lines : lines.slice(1))].join('\n') };
}

function headerFrom(damaged: string, { id, channel, folders, createdAt }: RepairFacts): SessionHeader {
  const agentId =
    /"agentId":"(?<agent>[a-z0-9][a-z0-9_-]{0,63})"/u.exec(damaged)?.groups?.['agent'] ?? 'main';
  const kind: SessionKind = damaged.includes('"kind":"subagent"') ? 'subagent' : 'chat';
  const time = Number(/"createdAt":(?<time>\d{12,14})\b/u.exec(damaged)?.groups?.['time'] ?? createdAt);
  return {
    ...{ type: 'session', version: currentVersion, id, kind, agentId, folders },
    key: buildSessionKey({ agentId, kind, channel, chatId: id }),
    createdAt: time,
  };
}
