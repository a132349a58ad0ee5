import { isRecord, parseJson } from '../../../base/json.ts';
import type { AgentMessage } from '../../../contracts/message.ts';
import type { SessionEntry } from '../../../contracts/session.ts';
import { redactKeys } from '../../../base/secrets/redactKeys.ts';

/** What was said in a session, as a text to cut into passages. */
export interface RenderedTranscript {
  /** `User: …` and `Assistant: …`, a blank line after each. */
  readonly text: string;
}

const speakers: Readonly<Partial<Record<string, Said['who']>>> = { user: 'User', assistant: 'Assistant' };

interface Said {
  readonly who: 'User' | 'Assistant';
  readonly text: string;
}

/** The turn that is being read. */
interface OpenTurn {
  said: Said[];
  hasAnswer: boolean;
}

/**
 * Renders a transcript as users and assistants spoke. Left out: what tools returned, what was attached to the
 * user's words, and turns that ended without an answer, since a plugin blocked them and what is stored are its
 * words. Obvious keys are removed. A line that can't be read, such as one that a crash cut short, costs that line alone. Of a
 * session that belongs to a tenant nothing is rendered: every agent of the workspace searches the same index. Pure.
 */
export function renderTranscript(jsonl: string): RenderedTranscript {
  const all: Said[] = [];
  let turn: OpenTurn = { said: [], hasAnswer: true };
  const close = (isBlocked: boolean): void => {
    if (!isBlocked) all.push(...turn.said);
    turn = { said: [], hasAnswer: false };
  };
  for (const line of jsonl.split('\n')) {
    const value = parseJson(line);
    if (belongsToTenant(value)) return { text: '' };
    const entry = asEntry(value);
    if (entry?.type === 'turn') close(entry.state === 'completed' && !turn.hasAnswer);
    if (entry?.type !== 'message') continue;
    const who = speakers[entry.message.role];
    if (who === undefined) continue;
    turn.hasAnswer ||= who === 'Assistant';
    const text = closeFence(redactKeys(ownText(entry.message)));
    if (text !== '') turn.said.push({ who, text });
  }
  close(false);
  return { text: all.map(({ who, text }) => `${who}: ${text}\n`).join('\n') };
}

/** Anything but a user alone counts: what can't be read is not shown around. */
function belongsToTenant(value: unknown): boolean {
  if (!isRecord(value) || value['type'] !== 'session' || value['tenant'] === undefined) return false;
  return !isRecord(value['tenant']) || value['tenant']['tenantId'] !== undefined;
}

/** What the speaker wrote, without what was put beside it. */
function ownText(message: AgentMessage): string {
  return message.content
    .flatMap((part) => (part.type === 'text' && part.isContext !== true ? [part.text] : []))
    .join('\n')
    .replace(/\r\n?/gu, '\n')
    .trim();
}

/** An answer that was cut short inside a code block must not turn all that follows into code. */
function closeFence(text: string): string {
  let open: string | undefined;
  for (const [, fence = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gmu)) {
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

function asEntry(value: unknown): SessionEntry | undefined {
  if (!isRecord(value)) return undefined;
  if (value['type'] === 'turn') return value as unknown as SessionEntry;
  const message = value['message'];
  const isMessage = value['type'] === 'message' && isRecord(message) && Array.isArray(message['content']);
  return isMessage && (message['content'] as unknown[]).every(isRecord)
    ? (value as unknown as SessionEntry)
    : undefined;
}
