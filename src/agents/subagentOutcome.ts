import { truncate } from '../base/text.ts';
import type { RunOutcome } from '../contracts/agentEvent.ts';
import type { AgentMessage } from '../contracts/message.ts';
import type { SubagentResult } from './subagents.ts';

/** Why a started agent was told to stop. */
export type StopReason = 'killed' | 'timeout' | 'parent';

/** Of 16 000 that a result may bring: the rest is for what is said around it. */
const maxText = 12_000;

/** How its turn ended, seen from who started it. Pure. */
export function outcomeOf(
  outcome: RunOutcome,
  stopped: StopReason | undefined,
): Pick<SubagentResult, 'status' | 'text' | 'error'> {
  switch (outcome.status) {
    case 'completed':
      return { status: 'ok', text: outcome.text };
    case 'blocked':
      return {
        status: 'error',
        text: '',
        error: `The plugin ${outcome.pluginId} blocked it: ${outcome.text}`,
      };
    case 'failed': {
      const hint = outcome.hint === undefined ? '' : ` ${outcome.hint}`;
      return { status: 'error', text: '', error: `${outcome.message}${hint}` };
    }
    case 'cancelled':
    case 'yielded':
      if (stopped === 'timeout')
        return { status: 'timeout', text: '', error: 'It took longer than it was given.' };
      return { status: 'killed', text: '', error: 'It was stopped.' };
  }
}

/** The outcome with what it said last, where its turn gave no answer. Pure. */
export function resultOf(
  ended: Pick<SubagentResult, 'status' | 'text' | 'error'>,
  messages: readonly AgentMessage[],
  facts: Pick<SubagentResult, 'durationMs' | 'calls' | 'usage'>,
): SubagentResult {
  const text = ended.status === 'ok' ? ended.text : lastWords(messages);
  return { ...facts, ...ended, text: capped(text) };
}

function capped(text: string): string {
  if (text.length <= maxText) return text;
  return `${truncate(text, maxText)}\n\n[Cut: ${text.length} characters in all; sessions_history has the rest.]`;
}

function lastWords(messages: readonly AgentMessage[]): string {
  const last = messages.findLast(
    (message) => message.role === 'assistant' && message.content.some((part) => part.type === 'text'),
  );
  if (last?.role !== 'assistant') return '';
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
