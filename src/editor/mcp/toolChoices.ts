// Threat: a person agrees to thirty tools with one key, and the one that has changed, or that speaks to the model, is among them. So what
// nobody has seen yet, and what looks wrong, has to be ticked by hand, and stands first.
import { inertLine } from '../../base/text.ts';
import { stringsOf, type McpTool } from '../../mcp/definitions.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';

/** A tool of a server, as a person decides about it. */
export interface ToolChoice {
  readonly name: string;
  /** `same`: agreed to and unchanged. `first`: of a server whose tools nobody has agreed to yet; `long`: such a one that a row can't show. */
  readonly mark: 'changed' | 'new' | 'long' | 'first' | 'same' | 'left out';
  readonly description: string;
  /** What a person should see before agreeing, one sentence each. */
  readonly warnings: readonly string[];
  /** Whether it is ticked before the person has said anything. */
  readonly isTicked: boolean;
}

/** What a row holds at most of a description. Characters. */
const maxDescription = 300;
/** What a person reads in passing: a tool that says more is not ticked unread. Characters. */
const maxTicked = { description: 100, otherTexts: 300 };
/** Words of every schema, which say nothing. */
const schemaWords: ReadonlySet<string> = new Set([
  ...['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', '$schema', 'type'],
  ...['properties', 'required', 'items', 'enum', 'default', 'additionalProperties', 'minimum', 'maximum'],
  ...['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'],
  ...['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
]);

const order: readonly ToolChoice['mark'][] = ['changed', 'new', 'long', 'first', 'same', 'left out'];

/** All tools that a server lists now, those that need a look first. Pure. */
export function planToolChoices({ brings }: Inspection): readonly ToolChoice[] {
  const { tools = [], changes, leftOut = [] } = brings ?? {};
  const markOf = (tool: McpTool): ToolChoice['mark'] => {
    const { name } = tool;
    if (leftOut.includes(name)) return 'left out';
    if (changes === undefined) return isLong(tool) ? 'long' : 'first';
    if (changes.added.includes(name)) return 'new';
    return changes.changed.some((each) => each.name === name) ? 'changed' : 'same';
  };
  const choices = tools.map(({ tool, warnings }): ToolChoice => {
    const mark = markOf(tool);
    const isTicked = mark === 'same' || (mark === 'first' && warnings.length === 0);
    const description = inertLine(tool.description, maxDescription);
    return { name: tool.name, mark, description, warnings, isTicked };
  });
  const rank = ({ mark, warnings }: ToolChoice): number =>
    order.indexOf(mark) * 2 + (warnings.length > 0 ? 0 : 1);
  return choices.sort((a, b) => rank(a) - rank(b));
}

/** Whether it says more than a row shows, wherever in its definition: a model reads all of it. */
function isLong({ name, description, raw }: McpTool): boolean {
  const others = stringsOf({ ...raw, name: '', description: '' }).filter((text) => !schemaWords.has(text));
  const chars = others.reduce((sum, text) => sum + text.length, 0);
  return description.length > maxTicked.description || chars > maxTicked.otherTexts || name.length > 80;
}

/**
 * The chosen tools that a person had left out and has not been `shown` since: what they said no to may have been another definition, and
 * nobody was told of a change. Pure.
 */
export function findUnshown(
  { brings }: Inspection,
  chosen: readonly string[],
  shown: readonly string[],
): readonly string[] {
  const { leftOut = [] } = brings ?? {};
  return chosen.filter((name) => leftOut.includes(name) && !shown.includes(name));
}
