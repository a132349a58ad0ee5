import { inertLine } from '../../base/text.ts';
import type { Params } from '../../contracts/json.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { labelOf, placeOf, type WorkspaceLayout } from '../paths/workspaceLayout.ts';

const maxLabel = 120;

/** What a person reads while a call runs: `Write notes.md`. */
export function labelOfCall(tool: AgentTool, params: Params, layout: WorkspaceLayout): string {
  const places = (tool.derivedPaths?.(params) ?? []).map((path) => placeOf(layout, path));
  const labels = places.flatMap((place) => (place === undefined ? [] : [labelOf(layout, place)]));
  const named = labels.filter((label) => label !== '.');
  const paths = named.length > 1 ? `${named.length} files` : (named[0] ?? '');
  const target = tool.target?.(params) ?? paths;
  return inertLine(`${tool.label} ${target}`, maxLabel);
}
