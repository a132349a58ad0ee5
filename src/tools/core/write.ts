import { z } from 'zod';
import type { AgentTool } from '../../contracts/tool.ts';
import { createCoreTool, type CoreToolDeps } from './coreTool.ts';
import { keepTextStyle } from './keepTextStyle.ts';
import { prepareEdit } from './prepareEdit.ts';
import { requirePath } from './requirePath.ts';

const schema = z.strictObject({
  path: z.string().describe('File to write, relative to the workspace. Missing folders are made.'),
  content: z.string().describe('The whole new content of the file.'),
});

/** `write`: makes a file or replaces all of its content. */
export function createWriteTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'write',
      label: 'Write',
      description:
        'Makes a file, or replaces the whole content of one. To change a part of a file use edit. The user sees the change and may refuse it.',
      schema,
      mayWrite: true,
      paths: ({ path }) => [path],
      prepare: async ({ path, content }, call) => {
        const file = await requirePath(deps, path, 'write');
        const before = (await deps.files.readText(file.path, file.root)) ?? null;
        return prepareEdit(deps, call, [{ file, before, after: keepTextStyle(before, content) }]);
      },
    },
    deps.layout,
  );
}
