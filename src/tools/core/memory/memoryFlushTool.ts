import { z } from 'zod';
import { PincerError } from '../../../base/errors.ts';
import type { AgentTool } from '../../../contracts/tool.ts';
import { createCoreTool } from '../coreTool.ts';
import { keepTextStyle } from '../keepTextStyle.ts';
import { prepareEdit } from '../prepareEdit.ts';
import { requirePath } from '../requirePath.ts';
import type { MemoryToolDeps } from './memoryToolDeps.ts';

const schema = z.strictObject({
  path: z.string().describe('The file to add to.'),
  content: z.string().min(1).max(20_000).describe('What is added at its end.'),
});

/**
 * `write`, as it is before a compaction: it adds to the one file that the memory plugin has planned, relative to the workspace. An edit like
 * any other, by the rules for `write`.
 */
export function createMemoryFlushTool(deps: MemoryToolDeps, planned: string): AgentTool {
  return createCoreTool(
    {
      name: 'write',
      label: 'Add to the memory',
      description: `Adds to the end of ${planned}; nothing that stands there is changed, and no other file can be written now. Never secrets. The user sees the change and may refuse it.`,
      schema,
      mayWrite: true,
      paths: ({ path }) => [path],
      prepare: async ({ path, content }, call) => {
        const file = await requirePath(deps, path, 'write');
        const wanted = await requirePath(deps, planned, 'write');
        if (file.path !== wanted.path)
          throw new PincerError('path_not_planned', `${file.label} can't be written now.`, {
            hint: `Add to ${planned}, or write nothing.`,
          });
        const before = (await deps.files.readText(file.path, file.root)) ?? null;
        const prepared = prepareEdit(deps, call, [{ file, before, after: added(before, content) }]);
        return {
          effects: prepared.effects,
          run: async (run) => {
            const result = await prepared.run(run);
            deps.memory.changed([file.path]);
            return result;
          },
        };
      },
    },
    deps.layout,
  );
}

function added(before: string | null, content: string): string {
  const plain = before?.replaceAll('\r\n', '\n') ?? '';
  const start = plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
  return keepTextStyle(before, `${start}${start === '' ? '' : '\n'}${content.trim()}\n`);
}
