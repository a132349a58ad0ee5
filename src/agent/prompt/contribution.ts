import type { PromptChange } from '../../hooks/payloads/agentHooks.ts';
import type { QueuedInjection } from '../../sessions/pluginSessionState.ts';

/** A field of what prompt hooks return. */
export type PromptField = keyof PromptChange;

/** What one handler of a prompt hook added to one field. */
export interface Contribution {
  readonly pluginId: string;
  readonly field: PromptField;
  readonly text: string;
}

const fields: readonly PromptField[] = [
  'systemPrompt',
  'prependSystemContext',
  'appendSystemContext',
  'prependContext',
  'appendContext',
];

/** What a handler added, by the outcome before and after it: later texts stand behind an empty line (`mergeTexts`). Pure. */
export function addedBy(
  pluginId: string,
  before: PromptChange,
  after: PromptChange,
): readonly Contribution[] {
  return fields.flatMap((field) => {
    const old = before[field];
    const now = after[field];
    if (now === undefined || now === old) return [];
    return [{ pluginId, field, text: old === undefined ? now : now.slice(old.length + 2) }];
  });
}

/** What plugins queued for this turn, oldest first. Pure. */
export function queuedContributions(
  queued: readonly Pick<QueuedInjection, 'pluginId' | 'placement' | 'text'>[],
): readonly Contribution[] {
  return queued.map(({ pluginId, placement, text }) => ({
    pluginId,
    field: placement === 'prepend_context' ? 'prependContext' : 'appendContext',
    text,
  }));
}
