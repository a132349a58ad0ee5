import type { JudgePath } from '../../approvals/decideAsk.ts';
import { protectionOf } from './protectedPaths.ts';
import { labelOf, placeOf, type WorkspaceLayout } from './workspaceLayout.ts';

/** What the host rules ask about a path that a call is going to touch. */
export function createPathJudge(layout: WorkspaceLayout): JudgePath {
  return (path, op) => {
    const place = placeOf(layout, path);
    if (place === undefined) {
      return { workspace: undefined, relative: path, label: path, protection: 'outside the workspace' };
    }
    const protection = protectionOf(place.segments, op);
    return {
      workspace: place.root,
      relative: place.segments.join('/'),
      label: labelOf(layout, place),
      ...(protection === undefined ? {} : { protection }),
    };
  };
}
