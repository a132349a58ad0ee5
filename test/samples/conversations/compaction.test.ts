import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimateMessages } from '../../../src/agent/context/estimateTokens.ts';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import type { ReplayLine } from '../../../src/models/replay/replayTurn.ts';
import { findOrderFault } from '../../builders/findOrderFault.ts';
import { createActingModel, works, type ActingModel } from './actingModel.ts';
import { golden, traceOf, transcriptOf, wordsOf } from './describe.ts';
import { openConversation, readEntries, talk } from './openConversation.ts';

const config = { agent: { compaction: { keepTokens: 4_000 } } };
const long = (on: string): string => `${on}: ${'some words of a file '.repeat(700)}`;
const isSummary = ({ tools }: ModelRequest): boolean => tools.length === 0;

/** A model of a small window that tells the same of every conversation. */
function createSmallModel(answers: readonly ReplayLine[], summary = 'Files were read.'): ActingModel {
  const rest = [...answers];
  const answer = (request: ModelRequest): ReplayLine =>
    isSummary(request) ? { text: summary } : (rest.shift() ?? { text: 'Done.' });
  return createActingModel(
    Array.from({ length: 30 }, () => answer),
    {
      contextWindow: 24_000,
      maxOutputTokens: 2_000,
    },
  );
}

const answersOf = ({ asked }: ActingModel): readonly ModelRequest[] =>
  asked.filter((request) => !isSummary(request));
const sizeOf = (request: ModelRequest | undefined): number => estimateMessages(request?.messages ?? []);

describe('compaction through the whole runtime', () => {
  it('comes in the middle of tools, and the next request is really shorter and still one that servers take', async () => {
    await using world = await openConversation({ config, work: long });
    const model = createSmallModel(['a', 'b', 'c', 'd', 'e', 'f'].map((on) => works(on)));
    const { events, outcome, turn } = await talk(world, 'Read all of it', model);
    expect(outcome).toMatchObject({ status: 'completed', text: 'Done.' });
    const lines = golden(events);
    const at = lines.indexOf('compaction_started');
    expect(lines.slice(at, at + 2)).toEqual(['compaction_started', 'compaction_ended']);
    expect(lines[at - 1]).toMatch(/^end [a-f]$/u);
    const index = model.asked.findIndex(isSummary);
    const [before, after] = [
      model.asked[index - 1],
      model.asked.slice(index).find((each) => !isSummary(each)),
    ];
    expect(sizeOf(after)).toBeLessThan(sizeOf(before) / 2);
    expect(wordsOf(after?.messages[0])).toContain('Files were read.');
    expect(wordsOf(after?.messages[0])).toContain('Read all of it');
    expect(answersOf(model).map(({ messages }) => findOrderFault(messages))).toEqual(
      answersOf(model).map(() => undefined),
    );
    expect(await traceOf(world, turn.runId)).toContain('compaction compacted');
  });

  it('is told to plugins before and after', async () => {
    const watcher = `module.exports = (api) => {
      for (const hook of ['before_compaction', 'after_compaction']) api.on(hook, () => mark(hook));
    };`;
    await using world = await openConversation({ config, work: long, plugins: { watcher } });
    await talk(
      world,
      'Read all of it',
      createSmallModel(['a', 'b', 'c', 'd', 'e', 'f'].map((on) => works(on))),
    );
    await world.runtime.stop('shutdown');
    expect(world.marks.slice(0, 2)).toEqual(['before_compaction', 'after_compaction']);
  });

  it('leaves every word on disk: a fork through the entry before it has all of them', async () => {
    await using world = await openConversation({ config, work: long });
    const model = createSmallModel(['a', 'b', 'c', 'd', 'e', 'f'].map((on) => works(on)));
    await talk(world, 'Read all of it', model);
    const entries = await readEntries(world.session);
    const compaction = entries.find(({ type }) => type === 'compaction');
    const throughEntryId = compaction?.parentId ?? '';
    const fork = await world.runtime.conversations.fork(world.session.id, { throughEntryId });
    const all = await transcriptOf(world.session);
    const said = all.slice(0, all.indexOf('compaction'));
    expect(await transcriptOf(fork)).toEqual([...said, 'turn cancelled']);
    expect(fork.messages().map(wordsOf)).toContain(long('a'));
    expect(world.session.messages().map(wordsOf)).not.toContain(long('a'));
    const asked = createActingModel([{ text: 'Yes.' }]);
    await talk(world, 'Still there?', asked, { session: fork });
    expect(asked.asked[0]?.messages.map(wordsOf)).toContain(long('a'));
  });

  it('comes when the user asks for it, and keeps what the user wants kept', async () => {
    await using world = await openConversation({ config, work: long });
    const model = createSmallModel([works('a', 'b')]);
    world.runtime.models.register({ ...model, info: { ...model.info, provider: 'small', model: 'one' } });
    await world.runtime.conversations.setSettings(world.session, { model: 'small/one' });
    await talk(world, 'Read', model);
    const { conversations } = world.runtime;
    const { signal } = new AbortController();
    const result = await conversations.compact(world.session, signal, 'Keep the colour.');
    expect(result).toMatchObject({
      status: 'compacted',
      entry: { by: 'user', summary: expect.any(String) as string },
    });
    expect(JSON.stringify(model.asked.at(-1))).toContain('Keep the colour.');
    await talk(world, 'And now?', model);
    expect(wordsOf(model.asked.at(-1)?.messages[0])).toContain('Files were read.');
    expect(sizeOf(model.asked.at(-1))).toBeLessThan(3_000);
  });

  it('asks guards about what the user wants kept, and nobody while they can not be started', async () => {
    const guard = 'plugins: { contentPolicy: { priority: 1, blockedWords: [hunter2], redactEmails: true } }';
    await using world = await openConversation({ config, work: long, files: { '.pincer/agent.yml': guard } });
    const model = createSmallModel([works('a', 'b')]);
    world.runtime.models.register({ ...model, info: { ...model.info, provider: 'small', model: 'one' } });
    await world.runtime.conversations.setSettings(world.session, { model: 'small/one' });
    await talk(world, 'Read', model);
    const compact = (wish?: string): Promise<unknown> =>
      world.runtime.conversations.compact(world.session, new AbortController().signal, wish);
    const before = model.asked.length;
    await expect(compact('Keep hunter2')).rejects.toMatchObject({ code: 'message_blocked' });
    const file = join(world.workspace, '.pincer', 'agent.yml');
    await writeFile(file, 'plugins: { custom: [{ name: gone, module: /none/gone.js, priority: 1 }] }');
    await world.runtime.workspace.update({ folders: [], isTrusted: true });
    await world.runtime.workspace.update({ folders: [world.workspace], isTrusted: true });
    await expect(compact()).rejects.toMatchObject({ code: 'agent_stopped' });
    expect(model.asked).toHaveLength(before);
    await writeFile(file, guard);
    await world.runtime.workspace.reload();
    await compact('Keep pat@example.org');
    expect(JSON.stringify(model.asked.at(-1))).not.toContain('pat@example.org');
  });

  it('shows the summary to guards of answers before anything of it is stored', async () => {
    const guard = 'plugins: { responseSanitizer: { priority: 1, redactEmails: true } }';
    const files = { '.pincer/agent.yml': guard };
    await using world = await openConversation({ config, work: long, files });
    const model = createSmallModel([works('a', 'b')], 'Ask pat@example.org about the tides.');
    world.runtime.models.register({ ...model, info: { ...model.info, provider: 'small', model: 'one' } });
    await world.runtime.conversations.setSettings(world.session, { model: 'small/one' });
    await talk(world, 'Read', model);
    await world.runtime.conversations.compact(world.session, new AbortController().signal, undefined);
    const stored = JSON.stringify(world.session.entries());
    expect(stored).toContain('Ask [EMAIL] about the tides.');
    expect(stored).not.toContain('pat@example.org');
  });

  it('is counted in what the session has used, and the gauge goes down', async () => {
    await using world = await openConversation({ config, work: long });
    const model = createSmallModel([works('a', 'b')]);
    await talk(world, 'Read', model);
    const { conversations } = world.runtime;
    const before = conversations.use(world.session, model.info);
    expect(before.context.window).toBe(24_000);
    world.runtime.models.register({ ...model, info: { ...model.info, provider: 'small', model: 'one' } });
    await conversations.setSettings(world.session, { model: 'small/one' });
    await conversations.compact(world.session, new AbortController().signal);
    const after = conversations.use(world.session, model.info);
    expect(after.context.tokens).toBeLessThan(before.context.tokens);
    expect(after.session.calls).toBe(before.session.calls + 1);
  });
});
