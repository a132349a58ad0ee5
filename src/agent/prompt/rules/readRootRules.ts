import type { Diagnostic } from '../../../contracts/diagnostic.ts';
import { flavourOf, labelOf, type WorkspaceLayout } from '../../../tools/paths/workspaceLayout.ts';
import type { TextCache } from '../createTextCache.ts';
import type { RulesFile } from './rulesFile.ts';

/** Rules files directly in a workspace folder, in the order of the prompt. */
export const rootRulesNames: readonly (readonly string[])[] = [
  ['AGENTS.md'],
  ['CLAUDE.md'],
  ['.github', 'copilot-instructions.md'],
];

interface RootRules {
  readonly files: readonly RulesFile[];
  readonly problems: readonly Diagnostic[];
}

/** The rules files of one workspace folder that are there; one that is there and can't be used is a problem. */
export async function readRootRules(
  texts: TextCache,
  layout: WorkspaceLayout,
  root: string,
  names: readonly (readonly string[])[] = rootRulesNames,
): Promise<RootRules> {
  const several = layout.roots.length > 1;
  const read = await Promise.all(
    names.map(async (segments) => {
      const path = flavourOf(layout.platform).join(root, ...segments);
      const found = await texts.read(root, path);
      const label = labelOf(layout, { root, segments });
      return { path, label, found };
    }),
  );
  return {
    files: read.flatMap(({ path, label, found }) =>
      found.status === 'text'
        ? [
            {
              path,
              label,
              text: found.text,
              ...(several ? { appliesTo: `${labelOf(layout, { root, segments: [] })}/` } : {}),
            },
          ]
        : [],
    ),
    problems: read.flatMap(({ path, label, found }) =>
      found.status === 'refused' ? [rulesFileUnused(label, path, found.why)] : [],
    ),
  };
}

/** A rules file is there, and the model does not get it. */
export function rulesFileUnused(label: string, path: string, why: string): Diagnostic {
  return {
    level: 'warn',
    code: 'rules_file_unused',
    message: `The rules file ${label} is not used: ${why}.`,
    hint: 'Put a plain text file of at most 1 MB in its place.',
    source: path,
  };
}
