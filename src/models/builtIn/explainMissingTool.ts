import type { ToolDefinition } from '../../contracts/tool.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { inlineCode } from './inertMarkdown.ts';

/** Undefined where the tool can be called; else why not, as paragraphs. */
export function explainMissingTool(name: string, tools: readonly ToolDefinition[]): string[] | undefined {
  const names = tools.map((tool) => tool.name);
  if (names.includes(name)) return undefined;
  const reason =
    'No open folder, a window that is not trusted, a tool policy or a disabled plugin can be the reason.';
  if (names.length === 0)
    return [`The tool ${inlineCode(name)} is not available, nor is any other. ${reason}`];
  const list = nearestFirst(name, names).slice(0, 30).map(inlineCode).join(', ');
  return [`The tool ${inlineCode(name)} is not available here. ${reason}`, `There are: ${list}.`];
}
