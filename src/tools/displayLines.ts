import type { AgentTool } from '../contracts/tool.ts';
import { inertLine } from '../base/text.ts';

/** What a plugin says of a tool for people, beside its name and description; a line each. Pure. */
export function displayLines({ display }: AgentTool): readonly string[] {
  const { risk, tags = [] } = display ?? {};
  return [
    ...(risk === undefined ? [] : [`Risk, as its plugin rates it: ${risk}`]),
    ...(tags.length === 0 ? [] : [`Tags: ${inertLine(tags.join(', '), 300)}`]),
  ];
}
