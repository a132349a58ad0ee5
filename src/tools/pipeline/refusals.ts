import { errorMessage, PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { ToolCallPart } from '../../contracts/message.ts';
import type { AgentTool, ToolResult } from '../../contracts/tool.ts';
import type { ApprovalOutcome } from '../../approvals/approvalBroker.ts';
import type { HookBlock } from '../../hooks/payloads/toolHooks.ts';
import { nearestFirst } from '../../base/nearestFirst.ts';
import type { HiddenTool, ToolCatalog } from '../catalog.ts';

// Results of calls that did not run or failed. The model reads them: what was wrong, then what to do.

const dontRepeat = 'Do not repeat the same call. Go on without it or ask the user what to do instead.';

export function hiddenTool({ name, reason, code }: HiddenTool): ToolResult {
  return refusal(`The tool "${name}" can't be used: ${reason}.`, dontRepeat, {
    status: 'unknown-tool',
    code,
  });
}

export function unknownTool(catalog: ToolCatalog, name: string): ToolResult {
  const hidden = catalog.hidden().find((each) => each.name === name);
  if (hidden !== undefined) return hiddenTool(hidden);
  const known = catalog.tools().map((tool) => tool.name);
  const nearest = nearestFirst(name, known).slice(0, 3);
  const hint = known.length === 0 ? 'There are no tools now.' : `Did you mean ${nearest.join(', ')}?`;
  return refusal(`There is no tool "${name}".`, hint, { status: 'unknown-tool' });
}

export function invalidParams(
  tool: AgentTool,
  faults: readonly string[],
  changedByPlugin: boolean,
): ToolResult {
  const who = changedByPlugin ? ' after a plugin changed them' : '';
  return refusal(
    `The parameters of "${tool.name}" are not valid${who}:\n${faults.map((line) => `- ${line}`).join('\n')}`,
    changedByPlugin ? dontRepeat : 'Call it again with parameters that fit.',
    { status: 'invalid-params', faults },
  );
}

/** Field names are upstream's. */
export function blockedByPlugin({ pluginId, reason, isSkipped }: HookBlock): ToolResult {
  return refusal(`Blocked by plugin "${pluginId}": ${reason}`, dontRepeat, {
    status: 'blocked',
    deniedReason: 'plugin-before-tool-call',
    pluginId,
    reason,
    ...(isSkipped === true ? { isSkipped } : {}),
  });
}

/** The tool ran: what it gave is kept from the model. */
export function withheldByPlugin(block: { readonly pluginId: string; readonly reason: string }): ToolResult {
  const { pluginId, reason } = block;
  return refusal(
    `Plugin "${pluginId}" withheld the result: ${reason}`,
    'The tool did run: do not repeat the call. Go on without its result or ask the user what to do instead.',
    { status: 'withheld', pluginId, reason },
  );
}

const readWords = 'Go on by what the user says. Repeat the call only where they want that.';

export function notApproved({ reason, resolution, by, request }: ApprovalOutcome): ToolResult {
  return refusal(`${reason}. Nothing was done.`, by === 'words' ? readWords : dontRepeat, {
    status: 'denied',
    reason,
    resolution,
    by,
    approvalId: request.id,
  });
}

/** What the user's deny list names: no mode and no answer lets it run. */
export function refusedByRule(reason: string): ToolResult {
  return refusal(`Denied: ${reason.replace(/\.$/u, '')}. Nothing was done.`, dontRepeat, {
    status: 'denied',
    reason,
    resolution: 'deny',
    by: 'rule',
  });
}

export function failedCall(error: unknown): ToolResult {
  const known = error instanceof PincerError ? error : undefined;
  return refusal(errorMessage(error), known?.hint, { status: 'failed', code: known?.code ?? 'tool_failed' });
}

/** Why a call is not carried out. */
export interface SkippedCall {
  /** For the model. */
  readonly result: ToolResult;
  /** For the trace: ends a sentence, and holds nothing of the conversation. */
  readonly because: string;
}

const newWords = 'The user said something new, so this call was not carried out. Read it before you go on.';
const limit = 'The turn was stopped at a limit before this call: it was not carried out.';

/** A call that was not carried out: `steered` and `yielded` since the user said something new, else the code of a limit. Pure. */
export function skippedCall(reason: string): SkippedCall {
  const isSaid = reason === 'steered' || reason === 'yielded';
  return {
    because: isSaid ? 'the user said something new' : 'the turn reached a limit',
    result: refusal(isSaid ? newWords : limit, undefined, { status: 'skipped', reason }),
  };
}

/** A call whose arguments can't be read: the model can write it again. Pure. */
export function unreadableCall({ name, problem }: ToolCallPart): SkippedCall {
  const reason = `The arguments of this call of ${name} can't be read, so it was not carried out: ${problem ?? ''}`;
  const hint = 'Write the whole call again, with arguments that are valid JSON.';
  const details = { status: 'blocked', deniedReason: 'malformed-arguments', reason };
  return { because: 'its arguments can not be read', result: refusal(inertLine(reason, 500), hint, details) };
}

/** A call that repeats itself; field names are upstream's. Pure. */
export function repeatedCall({ name }: ToolCallPart): SkippedCall {
  const reason = `You have called ${name} like this before, again and again with the same result, so it was not carried out.`;
  const hint =
    'Do something else: use what you know already, change the parameters, or ask the user. If you repeat it, the turn is stopped.';
  const details = { status: 'blocked', deniedReason: 'tool-loop', reason };
  return { because: 'it repeats itself', result: refusal(reason, hint, details) };
}

function refusal(message: string, hint: string | undefined, details: object): ToolResult {
  // Two parts: what happened is for everybody, what to do next is for the model.
  const texts = hint === undefined || hint === '' ? [message] : [message, hint];
  return { content: texts.map((text) => ({ type: 'text', text })), details, isError: true };
}
