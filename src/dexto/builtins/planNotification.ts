import type { ExtensionPoint } from '../dextoTypes.ts';
import type { PointFacts } from '../pointFacts.ts';
import type { NotificationEvent } from './notificationsOptions.ts';

interface Told {
  readonly event: NotificationEvent;
  readonly text: string;
}

/** What there is to tell of one plugin at one extension point; undefined for nothing. Quotes nothing that it saw. Pure. */
export function planNotification(facts: PointFacts): Told | undefined {
  const { point, pluginId, outcome } = facts;
  const who = `plugin ${pluginId}${codesOf(facts)}`;
  if (outcome === 'failed' || outcome === 'timed-out') {
    const what = outcome === 'failed' ? 'failed' : 'took too long';
    return { event: 'plugin-failed', text: `Dexto plugin ${pluginId} ${what} at ${point}` };
  }
  if (outcome === 'blocked') {
    const subject =
      point === 'beforeToolCall' && facts.toolName !== undefined ? `Tool ${facts.toolName}` : subjects[point];
    return { event: blocked[point], text: `${subject} was blocked by ${who}` };
  }
  if (outcome !== 'changed') return undefined;
  if (point === 'beforeLLMRequest') return { event: 'input-changed', text: `Input was changed by ${who}` };
  if (point !== 'beforeResponse') return undefined;
  const isCut = facts.notices?.some(({ code }) => code === 'RESPONSE_TRUNCATED') === true;
  return isCut
    ? { event: 'answer-cut', text: `An answer was cut by ${who}` }
    : { event: 'answer-changed', text: `An answer was changed by ${who}` };
}

const subjects: Readonly<Record<ExtensionPoint, string>> = {
  beforeLLMRequest: 'Input',
  beforeToolCall: 'A tool call',
  afterToolResult: 'A tool result',
  beforeResponse: 'An answer',
};

const blocked: Readonly<Record<ExtensionPoint, NotificationEvent>> = {
  beforeLLMRequest: 'input-blocked',
  beforeToolCall: 'tool-blocked',
  afterToolResult: 'tool-blocked',
  beforeResponse: 'answer-blocked',
};

function codesOf({ notices = [] }: Pick<PointFacts, 'notices'>): string {
  const codes = [...new Set(notices.flatMap(({ code }) => (code === undefined ? [] : [code])))];
  return codes.length === 0 ? '' : ` (${codes.join(', ')})`;
}
