import { z } from 'zod';
import type { AgentTool } from '../../contracts/tool.ts';
import type { DirectoryEntry } from '../../host/ports.ts';
import { createCoreTool, textResult, type CoreToolDeps } from './coreTool.ts';
import { joinWithin } from './joinWithin.ts';
import { requireSamePath, searchRoots, type FoundPath } from './requirePath.ts';

const maxEntries = 1_000;

const schema = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('Folder to list, relative to the workspace. Without it: the workspace itself.'),
});

/** `ls`: what is in one folder. */
export function createLsTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'ls',
      label: 'List',
      description:
        'Lists one folder, names sorted; folders end with "/". To find files in all folders use glob.',
      schema,
      mayWrite: false,
      paths: ({ path }) => [path ?? '.'],
      prepare: async ({ path }) => {
        const folders = await searchRoots(deps, path, 'list');
        return {
          effects: folders.map((folder) => ({ kind: 'read', path: folder.path })),
          run: async () => {
            const lists: string[] = [];
            for (const folder of folders) lists.push(await list(deps, folder, folders.length > 1));
            return textResult(lists.join('\n\n'));
          },
        };
      },
    },
    deps.layout,
  );
}

async function list(deps: CoreToolDeps, folder: FoundPath, isNamed: boolean): Promise<string> {
  await requireSamePath(deps, folder);
  const names = (await deps.fs.readDirectory(folder.path)).map(nameOf);
  const { text, count } = joinWithin(names.slice(0, maxEntries), deps.maxResultChars - 300);
  const rest = names.length - count;
  return [
    ...(isNamed ? [`${folder.label}:`] : []),
    names.length === 0 ? '[The folder is empty.]' : text,
    ...(rest > 0
      ? [`[${rest} more of ${names.length} entries. Use glob with this path and a narrower pattern.]`]
      : []),
  ].join('\n');
}

function nameOf({ name, kind }: DirectoryEntry): string {
  const marks = { file: '', directory: '/', symlink: ' (link)', other: ' (not a file)' };
  return name + marks[kind];
}
