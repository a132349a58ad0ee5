import { readOnce } from '../createTextCache.ts';
import { findNestedRules, type NestedRulesPlace } from './findNestedRules.ts';
import { planNestedRules } from './planNestedRules.ts';
import type { RulesFile } from './rulesFile.ts';

/** The rules files of deeper folders: which of them each session knows. */
export interface NestedRules {
  /** What marks them in tool results, the same as long as the session lives here. */
  mark(sessionId: string): string;
  /** Rules that hold for what the user attached, in this turn and before; they stay in the system prompt. */
  attach(sessionId: string, paths: readonly string[]): Promise<readonly RulesFile[]>;
  /** What a result that touched these files says of their rules, in at most `room` characters; empty where nothing is new. */
  touch(sessionId: string, paths: readonly string[], room: number): Promise<string>;
  /** The conversation was shortened by this entry: what tool results told before may be gone from it. Once for each entry. */
  compacted(sessionId: string, entryId: string): void;
  forget(sessionId: string): void;
}

export interface NestedRulesParts extends Pick<NestedRulesPlace, 'texts'> {
  readonly layout: () => NestedRulesPlace['layout'];
  /** False in a window where the workspace's texts don't count. */
  readonly isTrusted: () => boolean;
  /** A word that no file can guess. */
  readonly newMark: () => string;
}

interface Known {
  readonly mark: string;
  /** Absolute paths that the user attached. */
  readonly attached: ReadonlySet<string>;
  /** Texts by absolute path. */
  readonly told: ReadonlyMap<string, string>;
  /** The last compaction that counts. */
  readonly compaction?: string;
}

const maxSessions = 200;

export function createNestedRules({ texts, layout, isTrusted, newMark }: NestedRulesParts): NestedRules {
  const sessions = new Map<string, Known>();

  const known = (sessionId: string): Known =>
    sessions.get(sessionId) ?? { mark: newMark(), attached: new Set(), told: new Map() };
  const keep = (sessionId: string, now: Known): Known => {
    sessions.delete(sessionId);
    sessions.set(sessionId, now);
    const [oldest] = sessions.keys();
    if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    return now;
  };
  /** Outermost first, each once. */
  const find = async (paths: Iterable<string>): Promise<readonly RulesFile[]> => {
    if (!isTrusted()) return [];
    const place = { texts: readOnce(texts), layout: layout() };
    const files = await Promise.all([...paths].map((path) => findNestedRules(place, path)));
    const found = new Map(files.flat().map((file) => [file.path, file]));
    return [...found.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
  };

  return {
    mark: (sessionId) => keep(sessionId, known(sessionId)).mark,
    async attach(sessionId, paths) {
      const before = known(sessionId);
      const attached = new Set([...before.attached, ...paths]);
      keep(sessionId, { ...before, attached });
      return await find(attached);
    },
    async touch(sessionId, paths, room) {
      const files = await find(paths);
      if (files.length === 0) return '';
      const now = known(sessionId);
      const inPrompt = new Set((await find(now.attached)).map(({ path }) => path));
      const open = files.filter(({ path }) => !inPrompt.has(path));
      const plan = planNestedRules(open, now.told, { mark: now.mark, room });
      keep(sessionId, { ...now, told: plan.told });
      return plan.text;
    },
    compacted(sessionId, entryId) {
      const now = sessions.get(sessionId);
      if (now !== undefined && now.compaction !== entryId)
        keep(sessionId, { ...now, told: new Map(), compaction: entryId });
    },
    forget: (sessionId) => void sessions.delete(sessionId),
  };
}
