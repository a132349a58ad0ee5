import { expect, it } from 'vitest';
import type { PromptPart } from '../../contracts/promptReport.ts';
import { addedBy, queuedContributions, planWholePrompt, systemPromptOf } from './planWholePrompt.ts';

const own: readonly PromptPart[] = [
  { id: 'identity', title: 'Who', owner: { kind: 'pincer' }, place: 'system', text: 'You are.' },
  { id: 'tools', title: 'How', owner: { kind: 'pincer' }, place: 'system', text: 'Use tools.' },
];
const nothing = { queued: [], turn: [], build: [], start: [] };

it('gives what a handler added, not what stood there before', () => {
  const before = { appendContext: 'one', systemPrompt: 'mine' };
  const after = { appendContext: 'one\n\ntwo\n\nlines', systemPrompt: 'mine', prependContext: 'new' };
  expect(addedBy('p', before, after)).toEqual([
    { pluginId: 'p', field: 'prependContext', text: 'new' },
    { pluginId: 'p', field: 'appendContext', text: 'two\n\nlines' },
  ]);
});

it('keeps the order of upstream: queued, agent_turn_prepare, before_prompt_build, before_agent_start', () => {
  const say = (pluginId: string) => [
    { pluginId, field: 'prependContext' as const, text: `${pluginId} before` },
    { pluginId, field: 'appendContext' as const, text: `${pluginId} after` },
    { pluginId, field: 'prependSystemContext' as const, text: `${pluginId} first` },
    { pluginId, field: 'appendSystemContext' as const, text: `${pluginId} last` },
  ];
  const parts = planWholePrompt({
    own,
    queued: queuedContributions([{ pluginId: 'q', placement: 'prepend_context', text: 'queued' }]),
    turn: say('t').slice(0, 2),
    build: say('b'),
    start: say('s'),
  });
  expect(parts.map(({ text, place }) => `${place}: ${text}`)).toEqual([
    'system: b first',
    'system: s first',
    'system: You are.',
    'system: Use tools.',
    'system: b last',
    'system: s last',
    'before: queued',
    'before: t before',
    'before: b before',
    'before: s before',
    'after: t after',
    'after: b after',
    'after: s after',
  ]);
  expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
  expect(parts.map(({ owner }) => (owner.kind === 'plugin' ? owner.pluginId : owner.kind))).toEqual(
    'b s pincer pincer b s q t b s t b s'.split(' '),
  );
  expect(parts[6]?.title).toBe('Queued for this turn');
});

it('shows a system prompt of a plugin in the place of ours, with what it replaced and who lost', () => {
  const parts = planWholePrompt({
    ...nothing,
    own,
    build: [{ pluginId: 'b', field: 'systemPrompt', text: 'I am b.' }],
    start: [{ pluginId: 's', field: 'systemPrompt', text: 'I am s.' }],
  });
  expect(systemPromptOf(parts)).toBe('I am b.');
  expect(parts).toMatchObject([
    {
      id: 'plugin:b',
      owner: { kind: 'plugin', pluginId: 'b' },
      note: 'Takes the place of: identity, tools. The system prompt of plugin s is not used.',
    },
  ]);
});
