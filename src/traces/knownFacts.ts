// Threat: a plugin writes into the details of a stored result that a call was denied, or went well, and a person who reads the conversation
// again takes it for what happened. So details are facts only where the trace of the turn shows that no plugin had a hand in results, and
// only of what the program itself said: its own tools, and what stopped a call before it ran.
import type { RunTrace } from './runTrace.ts';

/** What may change a result before it is stored. */
const resultHooks: ReadonlySet<string> = new Set([
  'tool_result_persist',
  'tool_result_middleware',
  'before_message_write',
  'afterToolResult',
]);

/**
 * What of a stored result may be told as a fact: also its `details`, only whether it is an `outcome` of failure, or nothing. `isOwn`: the
 * tool is the program's. Pure.
 */
export function knownFacts(
  trace: RunTrace | undefined,
  toolCallId: string,
  isOwn: boolean,
): 'details' | 'outcome' | undefined {
  if (trace === undefined || trace.omitted > 0 || trace.lines.some(changesResults)) return undefined;
  const hasRun = trace.lines.some((line) => line.kind === 'tool' && line.toolCallId === toolCallId);
  return isOwn || !hasRun ? 'details' : 'outcome';
}

function changesResults(line: RunTrace['lines'][number]): boolean {
  // A handler that gave nothing has changed nothing: it gets a copy.
  if (line.kind === 'hook') return resultHooks.has(line.hook) && line.outcome !== 'nothing';
  return line.kind === 'point' && resultHooks.has(line.point);
}
