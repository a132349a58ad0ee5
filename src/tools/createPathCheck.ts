import type { CheckedPath } from '../checkpoints/checkpoints.ts';
import { resolveWorkspacePath, type PathDeps } from './paths/resolveWorkspacePath.ts';
import { placeOf } from './paths/workspaceLayout.ts';

/**
 * Whether a file that a tool has changed may be written again: by the same rules, and only where it really lay then. A protected
 * place is allowed, since the user asked for this very file when they restore it, and recovery only brings back what was there.
 */
export function createPathCheck(deps: () => PathDeps): (path: string) => Promise<CheckedPath> {
  return async (path) => {
    const current = deps();
    const verdict = await resolveWorkspacePath(current, path, 'write');
    if (verdict.kind === 'block') return { kind: 'refused', reason: verdict.reason };
    const place = placeOf(current.layout, verdict.path);
    if (verdict.path !== path || place === undefined)
      return { kind: 'refused', reason: `${verdict.label} is a link or lies behind one by now.` };
    return { kind: 'allowed', place: { root: place.root, path }, label: verdict.label };
  };
}
