import type { PromptPart } from '../../contracts/promptReport.ts';
import type { PromptChange } from '../../hooks/payloads/agentHooks.ts';
import type { QueuedInjection } from '../../sessions/pluginSessionState.ts';

interface WholePromptInput {
  /** The host's own parts. */
  readonly own: readonly PromptPart[];
  /** What plugins queued for this turn, oldest first. */
  readonly queued: readonly Contribution[];
  /** What handlers of each hook added, in their order: `agent_turn_prepare` with `heartbeat_prompt_contribution`, `before_prompt_build`, `before_agent_start`. */
  readonly turn: readonly Contribution[];
  readonly build: readonly Contribution[];
  readonly start: readonly Contribution[];
}

/**
 * All parts of a prompt in their order, each with its owner, joined as upstream joins them. A plugin's `systemPrompt` takes the place of every part of our own, and its note says so. Pure.
 */
export function planWholePrompt(input: WholePromptInput): readonly PromptPart[] {
  const { own, queued, turn, build, start } = input;
  const both = [...build, ...start];
  const replacing = both.filter(({ field }) => field === 'systemPrompt');
  const parts = [
    ...pick(both, 'prependSystemContext'),
    ...(replacing.length === 0 ? own : [replacement(replacing, own)]),
    ...pick(both, 'appendSystemContext'),
    ...pick(queued, 'prependContext').map(asQueued),
    ...pick([...turn, ...both], 'prependContext'),
    ...pick(queued, 'appendContext').map(asQueued),
    ...pick([...turn, ...both], 'appendContext'),
  ];
  return withUniqueIds(parts.filter(({ text }) => text !== ''));
}

const kinds: Readonly<Record<PromptField, Pick<PromptPart, 'title' | 'place'>>> = {
  systemPrompt: { title: 'System prompt', place: 'system' },
  prependSystemContext: { title: 'Before the system prompt', place: 'system' },
  appendSystemContext: { title: 'After the system prompt', place: 'system' },
  prependContext: { title: 'Before your message', place: 'before' },
  appendContext: { title: 'After your message', place: 'after' },
};

function pick(contributions: readonly Contribution[], field: PromptField): readonly PromptPart[] {
  return contributions.filter((each) => each.field === field).map(pluginPart);
}

function pluginPart({ pluginId, field, text }: Contribution): PromptPart {
  return { id: `plugin:${pluginId}`, ...kinds[field], owner: { kind: 'plugin', pluginId }, text };
}

function asQueued(part: PromptPart): PromptPart {
  return { ...part, title: 'Queued for this turn' };
}

/** The first one counts (upstream). */
function replacement(replacing: readonly Contribution[], own: readonly PromptPart[]): PromptPart {
  const [first, ...others] = replacing;
  if (first === undefined) throw new Error('Nothing takes the place of the system prompt.');
  const ids = own.map(({ id }) => id).join(', ');
  const unused = others.map(({ pluginId }) => ` The system prompt of plugin ${pluginId} is not used.`);
  return { ...pluginPart(first), note: `Takes the place of: ${ids}.${unused.join('')}` };
}

/** A plugin may bring several parts. */
function withUniqueIds(parts: readonly PromptPart[]): readonly PromptPart[] {
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const count = (seen.get(part.id) ?? 0) + 1;
    seen.set(part.id, count);
    return count === 1 ? part : { ...part, id: `${part.id}#${count}` };
  });
}

/** A field of what prompt hooks return. */
type PromptField = keyof PromptChange;

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

/** The parts of the system prompt as a model gets them, with an empty line between them. Pure. */
export function systemPromptOf(parts: readonly PromptPart[]): string {
  return parts.flatMap(({ place, text }) => (place === 'system' && text !== '' ? [text] : [])).join('\n\n');
}
