import { describe, expect, it } from 'vitest';
import { wordsOf } from './describe.ts';
import { createActingModel, works } from './actingModel.ts';
import { openConversation, talk } from './openConversation.ts';

const long = (on: string): string => `${on}: ${'some words of a file '.repeat(700)}`;

/** A plugin as an author ships it, whose provider summarises by `body`. */
function provider(body: string): string {
  return `module.exports = { id: 'acme', register(api) {
    api.registerCompactionProvider({ id: 'acme-summary', label: 'Acme', async summarize(params) { ${body} } });
  } };`;
}

interface Options {
  readonly named?: string;
  readonly speed?: number;
  readonly work?: (on: string) => unknown;
}

/** A conversation about a long file is compacted at the user's wish; the model would write `By the model.`. */
async function compactBy(
  global: Record<string, string>,
  { named = 'acme-summary', speed = 1, work = long }: Options = {},
) {
  const compaction = { keepTokens: 4_000, provider: named };
  const world = await openConversation({ config: { agent: { compaction } }, work, global, speed });
  const answers = [works('a', 'b'), { text: 'Done.' }, { text: 'By the model.' }, { text: 'Yes.' }];
  const model = createActingModel(answers, { contextWindow: 24_000, maxOutputTokens: 2_000 });
  world.runtime.models.register({ ...model, info: { ...model.info, provider: 'small', model: 'one' } });
  await world.runtime.conversations.setSettings(world.session, { model: 'small/one' });
  await talk(world, 'Read', model);
  const compact = async (wish?: string, signal = new AbortController().signal) =>
    await world.runtime.conversations.compact(world.session, signal, wish);
  return { world, model, compact };
}

const problems = ({ world }: Awaited<ReturnType<typeof compactBy>>): string =>
  JSON.stringify(world.runtime.workspace.diagnostics());

describe('a compaction provider that the config names', () => {
  it('writes the summary in place of the model, and the model goes on with it', async () => {
    const made = await compactBy({ acme: provider("return 'By the plugin.'") });
    await using world = made.world;
    expect(await made.compact()).toMatchObject({
      status: 'compacted',
      entry: { usage: { input: 0, output: 0 } },
    });
    await talk(world, 'And now?', made.model);
    const shown = wordsOf(made.model.asked.at(-1)?.messages[0]);
    expect(shown).toContain('By the plugin.');
    expect(made.model.asked).toHaveLength(3);
  });

  it('gets the messages as copies without secrets, the wish of the user and the summary before', async () => {
    const body = `mark(JSON.stringify(params)); mark(String(params.signal instanceof AbortSignal));
      for (const { content } of params.messages) for (const part of content) part.text = 'changed';
      return 'Memory ' + (params.previousSummary ?? 'one') + '.';`;
    const made = await compactBy({ acme: provider(body) });
    await using world = made.world;
    const key = `sk-ant-${'a1B2'.repeat(12)}`;
    await made.compact(`Keep the colour and ${key}`);
    const told = JSON.parse(world.marks[0] ?? '') as { messages: { role: string }[] };
    expect(told).toMatchObject({
      customInstructions: expect.stringContaining('Keep the colour') as string,
      summarizationInstructions: { identifierPolicy: 'strict' },
    });
    expect(told.messages.map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'toolResult']));
    expect(world.marks.join('')).not.toContain(key);
    expect(world.marks[1]).toBe('true');
    expect(JSON.stringify(world.session.entries())).not.toContain('"changed"');
    expect(JSON.stringify(world.session.messages())).not.toContain('"changed"');
  });

  it.each([
    ['throws', "throw new Error('no luck')", 'failed: no luck.'],
    ['gives no text', 'return { summary: 1 }', 'failed: it gave no text.'],
    ['gives blanks', "return '  '", 'failed: it gave no text.'],
    ['gives more than it read', "return 'x'.repeat(5e6)", 'failed: it gave a text too long for a summary.'],
    ['hangs', 'return new Promise(() => undefined)', 'failed: it did not answer within 60 s.'],
  ])('that %s is a warning with its name, and the model writes the summary', async (_how, body, reason) => {
    const made = await compactBy({ acme: provider(body) }, { speed: body.includes('Promise') ? 1_000 : 1 });
    await using world = made.world;
    expect(await made.compact()).toMatchObject({ status: 'compacted' });
    expect(JSON.stringify(world.session.entries())).toContain('By the model.');
    expect(problems(made)).toContain(
      `The compaction provider \\"acme-summary\\" of plugin \\"acme\\" ${reason}`,
    );
  });

  it('that nobody has registered is a warning, and the model writes the summary', async () => {
    const made = await compactBy({ acme: provider("return 'By the plugin.'") }, { named: 'other' });
    await using world = made.world;
    await made.compact();
    expect(JSON.stringify(world.session.entries())).toContain('By the model.');
    expect(problems(made)).toContain('has registered the compaction provider \\"other\\"');
  });

  it('ends with the compaction that the user cancels, and nothing is stored', async () => {
    const body = `await globalThis.workOn('summary');
      return new Promise((_, reject) => params.signal.addEventListener('abort', () => reject(new Error('late'))));`;
    const abort = new AbortController();
    const work = (on: string): unknown => (on === 'summary' ? setImmediate(() => abort.abort()) : long(on));
    const made = await compactBy({ acme: provider(body) }, { work });
    await using world = made.world;
    const result = made.compact(undefined, abort.signal);
    await expect(result).rejects.toMatchObject({ code: 'cancelled' });
    // What the plugin says of it has arrived by then.
    await new Promise(setImmediate);
    expect(world.session.entries().some(({ type }) => type === 'compaction')).toBe(false);
    expect(problems(made)).not.toContain('compaction_provider_failed');
  });
});
