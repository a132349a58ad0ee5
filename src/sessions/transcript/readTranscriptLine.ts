import { isRecord, parseJson } from '../../base/json.ts';
import type { SessionEntry, SessionHeader } from '../../contracts/sessionEntry.ts';
import { currentVersion, migrateEntry, migrateHeader } from '../migrations/migrations.ts';

/**
 * Ends a line that a crash or a full disk cut off, before the next one is written: the control character CANCEL, which no JSON
 * holds. Such a line is known to be lost and never reported again.
 */
export const cutMark = '\u0018';

/** What a line of a transcript is. `version` is that of its own header or of the one above it. */
type TranscriptLine =
  | { readonly kind: 'header'; readonly version: number; readonly header: SessionHeader }
  | { readonly kind: 'entry'; readonly entry: SessionEntry }
  /** Blank, or cut off and known to be. */
  | { readonly kind: 'nothing' }
  /** Of a later version, and nothing that this one knows. */
  | { readonly kind: 'later' }
  | { readonly kind: 'damaged' };

/** Reads one line, as the current version would have written it. `version` is that of the last header; 0 before the first. Pure. */
export function readTranscriptLine(line: string, version: number): TranscriptLine {
  if (line === '' || line.endsWith(cutMark)) return { kind: 'nothing' };
  const value = parseJson(line);
  if (!isRecord(value)) return { kind: 'damaged' };
  if (value['type'] === 'session') return readHeader(value);
  const entry = migrateEntry(value, Math.max(1, version));
  if (isEntry(entry)) return { kind: 'entry', entry };
  return { kind: version > currentVersion ? 'later' : 'damaged' };
}

/** The header of a later version counts where it has what this one needs. */
function readHeader(value: Readonly<Record<string, unknown>>): TranscriptLine {
  const { version } = value;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    return { kind: 'damaged' };
  const migrated = migrateHeader(value, version);
  if (!isHeader(migrated)) return { kind: 'damaged' };
  return { kind: 'header', version, header: { ...migrated, version: currentVersion } };
}

function isHeader(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & SessionHeader {
  const { id, key, kind, agentId, createdAt, folders } = value;
  return (
    [id, key, agentId].every((each) => typeof each === 'string') &&
    (kind === 'chat' || kind === 'subagent') &&
    typeof createdAt === 'number' &&
    Array.isArray(folders) &&
    folders.every((folder) => typeof folder === 'string') &&
    isTenant(value['tenant'])
  );
}

/** One that can't be read must not make the session nobody's. */
function isTenant(value: unknown): boolean {
  if (value === undefined) return true;
  return isRecord(value) && [value['tenantId'], value['userId']].every(isIdOrAbsent);
}

function isIdOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function isEntry(value: unknown): value is SessionEntry {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  switch (value['type']) {
    case 'message':
      return isMessage(value['message']);
    case 'turn':
      return typeof value['runId'] === 'string' && typeof value['state'] === 'string';
    case 'compaction':
      return typeof value['summary'] === 'string';
    case 'settings':
      return isRecord(value['settings']);
    case 'name':
      return typeof value['name'] === 'string';
    case 'end':
      return typeof value['reason'] === 'string';
    default:
      return false;
  }
}

const roles: readonly unknown[] = ['user', 'assistant', 'toolResult'];

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || !roles.includes(value['role']) || !Array.isArray(value['content'])) return false;
  if (value['role'] === 'toolResult' && typeof value['toolCallId'] !== 'string') return false;
  return value['content'].every((part) => isRecord(part) && isPart(part));
}

function isPart(part: Readonly<Record<string, unknown>>): boolean {
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string';
    case 'toolCall':
      return (
        typeof part['id'] === 'string' && typeof part['name'] === 'string' && isRecord(part['arguments'])
      );
    case 'image':
      return typeof part['data'] === 'string' && typeof part['mimeType'] === 'string';
    case 'thinking':
      return typeof part['thinking'] === 'string';
    default:
      return false;
  }
}
