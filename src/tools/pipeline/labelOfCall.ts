import { inertLine } from '../../base/text.ts';
import type { Params } from '../../contracts/json.ts';
import type { AgentTool } from '../../contracts/tool.ts';
import { labelOf, placeOf, type WorkspaceLayout } from '../paths/workspaceLayout.ts';

const maxLabel = 120;

/** What a person reads while a call runs: `Write notes.md`, and what of it is not the tool: `notes.md`, empty where nothing says so. */
export interface CallLabel {
  readonly label: string;
  readonly target: string;
}

export function labelOfCall(tool: AgentTool, params: Params, layout: WorkspaceLayout): CallLabel {
  const places = (tool.derivedPaths?.(params) ?? []).map((path) => placeOf(layout, path));
  const labels = places.flatMap((place) => (place === undefined ? [] : [labelOf(layout, place)]));
  const named = labels.filter((label) => label !== '.');
  const paths = named.length > 1 ? `${named.length} files` : (named[0] ?? '');
  const target = tool.target?.(params) ?? paths;
  return { label: inertLine(`${tool.label} ${target}`, maxLabel), target: inertLine(target, maxLabel) };
}
