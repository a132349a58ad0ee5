import { setBounded } from '../../../base/setBounded.ts';
import type { AgentTool, PreparedCall, ToolResult } from '../../../contracts/tool.ts';
import { parseIgnoreFile, type IgnoreRules } from '../../../memory/files/parseIgnoreFile.ts';
import { flavourOf, labelOf, placeOf, type WorkspaceLayout } from '../../../tools/paths/workspaceLayout.ts';
import { readOnce, type TextCache } from '../createTextCache.ts';
import { quoteFile } from '../quoteFile.ts';
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

interface NestedRulesParts extends Pick<NestedRulesPlace, 'texts'> {
  readonly layout: () => NestedRulesPlace['layout'];
  /** False in a window where the workspace's texts don't count. */
  readonly isTrusted: () => boolean;
  /** A word that no file can guess. */
  readonly newMark: () => string;
}

interface KnownRules {
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
  const sessions = new Map<string, KnownRules>();

  const known = (sessionId: string): KnownRules =>
    sessions.get(sessionId) ?? { mark: newMark(), attached: new Set(), told: new Map() };
  const keep = (sessionId: string, now: KnownRules): KnownRules => {
    setBounded(sessions, sessionId, now, maxSessions);
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

/**
 * A file tool whose result brings the rules of the folders it touched, once for each session. They stand before what the tool
 * says, in the same result: so they pass the same hooks, redaction and cap. A call that fails brings none.
 */
export function withNestedRules(
  tool: AgentTool,
  rules: Pick<NestedRules, 'touch'>,
  maxResultChars: number,
): AgentTool {
  return {
    ...tool,
    async prepare(call, params) {
      const prepared = await tool.prepare(call, params);
      return {
        effects: prepared.effects,
        run: async (run) => {
          const result = await prepared.run(run);
          if (result.isError === true) return result;
          const room = maxResultChars - lengthOf(result);
          const text = await rules.touch(call.turn.sessionId, touchedPaths(prepared), room);
          return text === '' ? result : { ...result, content: [{ type: 'text', text }, ...result.content] };
        },
      };
    },
  };
}

/** Tools whose calls are about single files. */
export const toolsWithNestedRules: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'apply_patch']);

function touchedPaths({ effects }: PreparedCall): readonly string[] {
  return effects.flatMap((effect) =>
    effect.kind === 'read' ? [effect.path] : effect.kind === 'edit' ? [effect.edit.path] : [],
  );
}

function lengthOf({ content }: ToolResult): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

// Threat: packages bring files named AGENTS.md too, and nobody reviewed those. Folders of packages and repositories, and what
// git ignores, have no say.
interface NestedRulesPlace {
  readonly texts: TextCache;
  readonly layout: WorkspaceLayout;
}

const fileName = 'AGENTS.md';
const maxDepth = 20;
const closed = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  'vendor',
]);

/**
 * The AGENTS.md of every folder from below the workspace folder down to a file or folder, outermost first. That of the
 * workspace folder itself is no nested one. `path` is absolute; outside of the workspace there are none.
 */
export async function findNestedRules(
  { texts, layout }: NestedRulesPlace,
  path: string,
): Promise<readonly RulesFile[]> {
  const place = placeOf(layout, path);
  if (place === undefined) return [];
  const paths = flavourOf(layout.platform);
  const names = place.segments.slice(0, maxDepth);
  const ignores: { readonly depth: number; readonly rules: IgnoreRules }[] = [];
  const found: RulesFile[] = [];
  for (let depth = 0; depth <= names.length; depth += 1) {
    const above = names.slice(0, depth);
    const last = above.at(-1);
    if (last !== undefined && (closed.has(last.toLowerCase()) || isIgnored(ignores, above))) break;
    const folder = paths.join(place.root, ...above);
    const ignore = await texts.read(place.root, paths.join(folder, '.gitignore'));
    if (ignore.status === 'text')
      ignores.push({ depth, rules: parseIgnoreFile(ignore.text, layout.platform === 'linux') });
    if (depth === 0) continue;
    const file = paths.join(folder, fileName);
    const read = await texts.read(place.root, file);
    if (read.status !== 'text' || read.text.trim() === '') continue;
    found.push({
      label: labelOf(layout, { root: place.root, segments: [...above, fileName] }),
      path: file,
      text: read.text,
      appliesTo: `${labelOf(layout, { root: place.root, segments: above })}/`,
    });
  }
  return found;
}

/** The innermost `.gitignore` that says something decides. */
function isIgnored(
  ignores: readonly { readonly depth: number; readonly rules: IgnoreRules }[],
  names: readonly string[],
): boolean {
  for (const { depth, rules } of ignores.toReversed()) {
    const said = rules.decide(names.slice(depth), true);
    if (said !== undefined) return said;
  }
  return false;
}

interface NestedRulesPlan {
  /** What comes before the result; empty where there is nothing new. */
  readonly text: string;
  /** What the session has been told by then: texts by absolute path. */
  readonly told: ReadonlyMap<string, string>;
}

const maxPerFile = 8_000;
/** Characters around a file's text. */
const wrapping = 400;

/**
 * What a tool result says of the rules that hold for a file it touched. Each is told once, and again when it has changed; one
 * that does not fit beside the result is only named, so that the result stays whole. Pure.
 */
function planNestedRules(
  files: readonly RulesFile[],
  told: ReadonlyMap<string, string>,
  { mark, room }: { readonly mark: string; /** Characters. */ readonly room: number },
): NestedRulesPlan {
  const after = new Map(told);
  const texts: string[] = [];
  let left = room;
  for (const file of files) {
    if (told.get(file.path) === file.text) continue;
    after.set(file.path, file.text);
    const max = Math.min(maxPerFile, left - wrapping);
    const text = max < Math.min(file.text.length, maxPerFile) ? pointer(file, mark) : whole(file, mark, max);
    left -= text.length + 2;
    texts.push(text);
  }
  return { text: texts.join('\n\n'), told: after };
}

function whole(file: RulesFile, mark: string, max: number): string {
  const { label, text, appliesTo } = file;
  const quoted = quoteFile(text, { label, max, ...(appliesTo === undefined ? {} : { appliesTo }) });
  return `[${mark}: these rules hold below ${appliesTo ?? label}]\n${quoted.text}`;
}

function pointer({ label, appliesTo }: RulesFile, mark: string): string {
  return `[${mark}: rules hold below ${appliesTo ?? label}. Read ${label} before you change anything there.]`;
}
