import { inertLine } from '../../../base/text.ts';
import type { Attachment } from './attachment.ts';

/**
 * The tools that the user named with `#`: the model is asked to use them. What we don't have, such as a tool of another agent, is
 * told to the user. Pure.
 */
export function toolAttachment(named: readonly string[], offered: readonly string[]): Attachment {
  const found = new Set<string>();
  const unknown = new Set<string>();
  for (const name of named) {
    const own = offered.find((each) => each === name);
    if (own === undefined) unknown.add(inertLine(name, 80));
    else found.add(own);
  }
  const text = `The user asks you to use ${found.size === 1 ? 'this tool' : 'these tools'}: ${[...found].join(', ')}.`;
  return {
    parts: found.size === 0 ? [] : [{ type: 'text', text, isContext: true }],
    problems: [...unknown].map((label) => ({ kind: 'unknown-tool', label })),
  };
}
