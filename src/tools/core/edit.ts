import { z } from 'zod';
import { PincerError } from '../../base/errors.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { createCoreTool, type CoreToolDeps } from './coreTool.ts';
import { planEdits, type EditTolerance } from './planEdits.ts';
import { planOrAsk } from './planOrAsk.ts';
import { prepareEdit } from './prepareEdit.ts';
import { requirePath } from './requirePath.ts';

const schema = z.strictObject({
  path: z.string().describe('File to change, relative to the workspace.'),
  edits: z
    .array(
      z.strictObject({
        oldText: z
          .string()
          .min(1)
          .describe(
            'Text to replace, exactly as in the file, with enough lines around it to occur only once.',
          ),
        newText: z.string().describe('What stands there instead.'),
      }),
    )
    .min(1)
    .describe('All are looked up in the file as it is now, so they may not overlap.'),
});

/** `edit`: replaces parts of a file, all of them or none. */
export function createEditTool(deps: CoreToolDeps): AgentTool {
  return createCoreTool(
    {
      name: 'edit',
      label: 'Edit',
      description:
        'Replaces parts of a text file. Each oldText must occur exactly once; differences in white space or in the kind of quotes are ignored and reported. Either all edits are made or none. The user sees the change and may refuse it.',
      schema,
      mayWrite: true,
      paths: ({ path }) => [path],
      prepare: async ({ path, edits }, call) => {
        const file = await requirePath(deps, path, 'write');
        const before = await deps.files.readText(file.path, file.root);
        if (before === undefined) {
          throw new PincerError('path_not_found', `There is no ${file.label}.`, {
            hint: 'Make it with write.',
          });
        }
        return await planOrAsk([file], () => {
          const { text, tolerances } = planEdits(before, edits, file.label);
          return prepareEdit(deps, call, [{ file, before, after: text }], tolerances.map(noteOf));
        });
      },
    },
    deps.layout,
  );
}

function noteOf({ name, line, ignored }: EditTolerance): string {
  return `${name} does not occur exactly; it was found at line ${line} by looking past ${ignored}.`;
}
