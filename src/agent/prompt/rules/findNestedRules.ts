// Threat: packages bring files named AGENTS.md too, and nobody reviewed those. Folders of packages and repositories, and what
// git ignores, have no say.
import { type IgnoreRules, parseIgnoreFile } from '../../../memory/files/parseIgnoreFile.ts';
import { flavourOf, labelOf, placeOf, type WorkspaceLayout } from '../../../tools/paths/workspaceLayout.ts';
import type { TextCache } from '../createTextCache.ts';
import type { RulesFile } from './rulesFile.ts';

export interface NestedRulesPlace {
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
