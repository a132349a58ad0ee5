import { throwIfAborted } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import type { CallIdentity, PreparedCall } from '../../contracts/tool.ts';
import { textResult, type CoreToolDeps } from './coreTool.ts';
import { requireSamePath, type FoundPath } from './requirePath.ts';

/**
 * The change of one file as a prepared call. It is written only while the file is still where and what it was when the
 * user saw the change (rulings T8).
 */
export function prepareEdit(
  deps: CoreToolDeps,
  call: CallIdentity,
  file: FoundPath,
  before: string | null,
  after: string,
): PreparedCall {
  if (before === after) {
    return {
      effects: [{ kind: 'read', path: file.path }],
      run: () => Promise.resolve(textResult(`${file.label} already has exactly this content.`)),
    };
  }
  return {
    effects: [{ kind: 'edit', edit: { path: file.path, label: file.label, before, after } }],
    run: async ({ signal }) => {
      await requireSamePath(deps, file);
      const now = (await deps.files.readText(file.path)) ?? null;
      if (now !== before) throw stale(file.label);
      throwIfAborted(signal);
      await deps.files.apply([{ path: file.path, before, after }], call);
      const status = before === null ? 'created' : 'changed';
      return textResult(`${before === null ? 'Created' : 'Changed'} ${file.label}.`, {
        path: file.label,
        file: file.path,
        status,
      });
    },
  };
}

function stale(label: string): PincerError {
  return new PincerError(
    'edit_stale',
    `${label} changed after this edit was prepared; nothing was written.`,
    {
      hint: 'Read the file again and base the edit on what it says now.',
    },
  );
}
