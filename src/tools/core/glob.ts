import { z } from 'zod';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import { compileGlob, type GlobMatcher } from '../../base/compileGlob.ts';
import { labelOf, type WorkspacePlace } from '../paths/workspaceLayout.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { joinWithin } from './joinWithin.ts';
import { requireSamePath, searchRoots, type FoundPath } from './requirePath.ts';
import { walkFiles } from './walkFiles.ts';

const maxFound = 1_000;

const schema = z.strictObject({
  pattern: z
    .string()
    .describe(
      'Such as **/*.ts, docs/*.md or *.{js,ts}. A pattern without "/" matches names in every folder.',
    ),
  path: z
    .string()
    .optional()
    .describe('Folder to search in, relative to the workspace. Without it: all of it.'),
});

/** `glob`: files by name. */
export function createGlobTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'glob',
      label: 'Find files',
      description:
        'Finds files by a name pattern. Skips .git and node_modules unless path names them. Does not follow links.',
      schema,
      mayWrite: false,
      paths: ({ path }) => [path ?? '.'],
      target: ({ pattern, path }) => `${pattern}${path === undefined ? '' : ` in ${path}`}`,
      prepare: async ({ pattern, path }) => {
        const matches = compileGlob(pattern);
        const folders = await searchRoots(deps, path, 'list');
        return {
          effects: folders.map((folder) => ({ kind: 'read', path: folder.path })),
          run: ({ signal }) => find(deps, folders, matches, signal),
        };
      },
    },
    deps.layout,
  );
}

async function find(
  deps: CoreToolDeps,
  folders: readonly FoundPath[],
  matches: GlobMatcher,
  signal: AbortSignal,
): Promise<ToolResult> {
  const layout = deps.layout();
  const found: string[] = [];
  const unreadable: WorkspacePlace[] = [];
  for (const folder of folders) {
    await requireSamePath(deps, folder);
    const files = walkFiles(deps.fs, layout.platform, folder, signal, (place) => void unreadable.push(place));
    for await (const file of files) {
      if (found.length > maxFound) break;
      if (matches(file.segments.slice(folder.segments.length))) found.push(labelOf(layout, file));
    }
  }
  const { text, count } = joinWithin(found.slice(0, maxFound), deps.maxResultChars - 500);
  const notes = [
    ...(count < found.length ? [`[Only the first ${count} files. Narrow the pattern or give a path.]`] : []),
    ...(unreadable.length > 0 ? [`[${unreadable.length} folders could not be read.]`] : []),
  ];
  return textResult([found.length === 0 ? 'No file matches.' : text, ...notes].join('\n'), {
    count: found.length,
  });
}
