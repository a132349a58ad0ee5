// Threat: a person agrees to thirty tools with one key, and the one that has changed, or that speaks to the model, is among them. So what
// nobody has seen yet, and what looks wrong, has to be ticked by hand, and stands first.
import { inertLine } from '../../base/text.ts';
import type { Inspection } from '../../mcp/mcpServers.ts';

/** A tool of a server, as a person decides about it. */
export interface ToolChoice {
  readonly name: string;
  /** `same`: agreed to and unchanged. `first`: of a server whose tools nobody has agreed to yet. */
  readonly mark: 'changed' | 'new' | 'first' | 'same' | 'left out';
  readonly description: string;
  /** What a person should see before agreeing, one sentence each. */
  readonly warnings: readonly string[];
  /** Whether it is ticked before the person has said anything. */
  readonly isTicked: boolean;
}

/** What a row shows of one: a longer one is not ticked unread. Characters. */
const maxDescription = 300;

const order: readonly ToolChoice['mark'][] = ['changed', 'new', 'first', 'same', 'left out'];

/** All tools that a server lists now, those that need a look first. Pure. */
export function planToolChoices({ brings }: Inspection): readonly ToolChoice[] {
  const { tools = [], changes, leftOut = [] } = brings ?? {};
  const markOf = (name: string): ToolChoice['mark'] => {
    if (leftOut.includes(name)) return 'left out';
    if (changes === undefined) return 'first';
    if (changes.added.includes(name)) return 'new';
    return changes.changed.some((each) => each.name === name) ? 'changed' : 'same';
  };
  const choices = tools.map(({ tool, warnings }): ToolChoice => {
    const mark = markOf(tool.name);
    const isShort = tool.description.length <= maxDescription;
    const isTicked = mark === 'same' || (mark === 'first' && warnings.length === 0 && isShort);
    const description = inertLine(tool.description, maxDescription);
    return { name: tool.name, mark, description, warnings, isTicked };
  });
  const rank = ({ mark, warnings }: ToolChoice): number =>
    order.indexOf(mark) * 2 + (warnings.length > 0 ? 0 : 1);
  return choices.sort((a, b) => rank(a) - rank(b));
}
