import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import type { SessionEntry, SessionHeader, TurnState } from '../../contracts/sessionEntry.ts';
import { isSaid } from '../isSaid.ts';
import { currentVersion } from '../migrations/migrations.ts';
import type { SessionSummary } from './sessionSummary.ts';
import { readTranscriptLine } from '../transcript/readTranscriptLine.ts';

/** What was seen of a transcript so far; lines that come later are added to it. It is stored as JSON. */
export interface Digest {
  readonly version: number;
  readonly header?: SessionHeader;
  readonly name?: string;
  /** The first words the user wrote. */
  readonly opening?: string;
  /** As a person counts them. */
  readonly messageCount: number;
  /** Milliseconds since the epoch; 0 before the first message. */
  readonly updatedAt: number;
  readonly lastTurn?: TurnState;
}

export const emptyDigest: Digest = { version: 0, messageCount: 0, updatedAt: 0 };
const maxTitle = 80;

/** The digest with one more line of the transcript. Pure. */
export function addToDigest(digest: Digest, line: string): Digest {
  const read = readTranscriptLine(line, digest.version);
  if (read.kind === 'header') {
    const { version, header } = read;
    return digest.header === undefined || digest.header.id === header.id
      ? { ...digest, version, header }
      : digest;
  }
  return read.kind === 'entry' ? addEntry(digest, read.entry) : digest;
}

function addEntry(digest: Digest, entry: SessionEntry): Digest {
  switch (entry.type) {
    case 'message': {
      const { message } = entry;
      const said = message.role === 'user' && digest.opening === undefined ? openingOf(message.content) : '';
      return {
        ...digest,
        messageCount: digest.messageCount + (isSaid(message) ? 1 : 0),
        updatedAt: Math.max(digest.updatedAt, message.timestamp),
        ...(said === '' ? {} : { opening: said }),
      };
    }
    case 'turn':
      return { ...digest, lastTurn: entry.state };
    case 'name':
      return { ...digest, name: inertLine(entry.name, maxTitle) };
    case 'compaction':
    case 'settings':
    case 'end':
      return digest;
  }
}

function openingOf(content: readonly unknown[]): string {
  const own = content.flatMap((part) =>
    isRecord(part) && part['type'] === 'text' && part['isContext'] !== true ? [String(part['text'])] : [],
  );
  // A title shows no more than its first words: the rest need not be gone through.
  return inertLine(own.join(' ').slice(0, 1_000), maxTitle);
}

/** What a list shows of a session of this id. Pure. */
export function summaryOf(id: string, digest: Digest): SessionSummary {
  const { header, name, opening, messageCount, lastTurn, version } = digest;
  if (header === undefined)
    return { ...unreadable(id, 'Its transcript has no readable first line.'), isDamaged: true };
  const { key, kind, agentId, createdAt, parent, tenant } = header;
  const problem =
    version > currentVersion
      ? { problem: `It was written by a newer Pincer (format ${version}), so it can only be read.` }
      : {};
  return {
    ...{ id, key, kind, agentId, createdAt, messageCount },
    title: name ?? opening ?? 'Untitled',
    isNamed: name !== undefined,
    updatedAt: Math.max(createdAt, digest.updatedAt),
    isInterrupted: lastTurn === 'started',
    ...(parent === undefined ? {} : { parent }),
    ...(tenant === undefined ? {} : { tenant }),
    ...problem,
  };
}

/** A session that can't be opened stands in the list all the same, so that it can be deleted. Pure. */
export function unreadable(id: string, problem: string): SessionSummary {
  return {
    ...{ id, key: `agent:main:${id}`, kind: 'chat', agentId: 'main', title: 'Unreadable session' },
    ...{ isNamed: false, createdAt: 0, updatedAt: 0, messageCount: 0, isInterrupted: false, problem },
  };
}
