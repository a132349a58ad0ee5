import type { ToolOwner } from '../contracts/tool.ts';

/** `Pincer` or `plugin x`. */
export function describeOwner(owner: ToolOwner): string {
  return owner.kind === 'core' ? 'Pincer' : `plugin ${owner.pluginId}`;
}
