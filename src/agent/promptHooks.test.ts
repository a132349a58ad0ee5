import { expect, it } from 'vitest';
import { createTestHooks } from '../../test/builders/createTestHooks.ts';
import { agentSection } from '../config/sections/agentSection.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import { createInMemoryLog } from '../../test/builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { createReplayModel } from '../models/replay/createReplayModel.ts';
import type { QueuedInjection } from '../sessions/pluginSessionState.ts';
import { createSessionStore } from '../sessions/sessionStore.ts';
import { createPromptHooks } from './promptHooks.ts';
import { createTurn } from './turn.ts';

const own: readonly PromptPart[] = [
  { id: 'identity', title: 'Who', owner: { kind: 'pincer' }, place: 'system', text: 'You are.' },
  {
    id: 'rules:AGENTS.md',
    title: 'AGENTS.md',
    owner: { kind: 'file', path: '/w/AGENTS.md' },
    place: 'system',
    text: 'Tabs.',
  },
];

/** The prompt hooks of a turn that never runs: nothing is written. */
function open(queued: readonly QueuedInjection[] = []) {
  const hooks = createTestHooks();
  const { clock } = hooks;
  const store = createSessionStore({
    fs: createNodeFileSystem(),
    clock,
    log: createInMemoryLog(),
    folder: '/nowhere',
    channel: 'vscode',
  });
  const turn = createTurn(
    {
      hooks: hooks.runner,
      clock,
      log: createInMemoryLog(),
      findModel: () => undefined,
      toolsFor() {
        throw new Error('The turn never runs.');
      },
    },
    {
      session: store.create([]),
      prompt: 'hello',
      attachments: [],
      model: createReplayModel({ script: '{"text":"hi"}', name: 'test.jsonl', clock }),
      promptParts: own,
      limits: agentSection.resolve(undefined).limits,
      surface: 'vscode',
      workspaceDir: undefined,
      signal: new AbortController().signal,
      waitingInjections: async () => ({ injections: queued, consume: async () => undefined }),
      emit: () => undefined,
    },
    'run-1',
  );
  return { on: hooks.on, prepare: () => createPromptHooks(turn).preparePrompt([]) };
}

const ownerOf = ({ owner }: PromptPart): string =>
  owner.kind === 'plugin' ? owner.pluginId : owner.kind === 'file' ? owner.path : owner.kind;

it('says of two plugins who added which text, in the order of their priority', async () => {
  const { on, prepare } = open();
  on('before_prompt_build', 'low', () => ({
    prependContext: 'low context',
    appendSystemContext: 'low rule',
  }));
  on('before_prompt_build', 'high', () => ({ prependContext: 'high context' }), { priority: 9 });
  on('agent_turn_prepare', 'turn', () => ({ appendContext: 'turn context' }));
  const { parts, systemPrompt, before, after } = await prepare();
  expect(parts.map((part) => [ownerOf(part), part.place, part.text])).toEqual([
    ['pincer', 'system', 'You are.'],
    ['/w/AGENTS.md', 'system', 'Tabs.'],
    ['low', 'system', 'low rule'],
    ['high', 'before', 'high context'],
    ['low', 'before', 'low context'],
    ['turn', 'after', 'turn context'],
  ]);
  expect(systemPrompt).toBe('You are.\n\nTabs.\n\nlow rule');
  expect(before).toEqual([{ type: 'text', text: 'high context\n\nlow context', isContext: true }]);
  expect(after).toEqual([{ type: 'text', text: 'turn context', isContext: true }]);
});

it('shows that a plugin has replaced the prompt, what is gone, and whose prompt is not used', async () => {
  const { on, prepare } = open();
  on('before_agent_start', 'old', () => ({ systemPrompt: 'I am old.', prependSystemContext: 'First.' }));
  on('before_prompt_build', 'new', () => ({ systemPrompt: 'I am new.' }));
  const { parts, systemPrompt } = await prepare();
  expect(systemPrompt).toBe('First.\n\nI am new.');
  expect(parts.map((part) => [ownerOf(part), part.note])).toEqual([
    ['old', undefined],
    ['new', 'Takes the place of: identity, rules:AGENTS.md. The system prompt of plugin old is not used.'],
  ]);
});

it('names the plugin that queued a text', async () => {
  const { prepare } = open([
    { id: '1', pluginId: 'reminder', placement: 'prepend_context', text: 'Stand up.', createdAt: 0 },
    { id: '2', pluginId: 'notes', placement: 'append_context', text: 'A note.', createdAt: 1 },
  ]);
  const { parts } = await prepare();
  expect(parts.slice(2).map((part) => [ownerOf(part), part.place, part.title])).toEqual([
    ['reminder', 'before', 'Queued for this turn'],
    ['notes', 'after', 'Queued for this turn'],
  ]);
});

it('has only our own parts where no plugin listens', async () => {
  expect((await open().prepare()).parts).toEqual(own);
});
