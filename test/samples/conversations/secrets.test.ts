import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createActingModel, works } from './actingModel.ts';
import { openConversation, talk } from './openConversation.ts';

const key = 'sk-proj-4f9aK2mZ7qL1xW8vT3bN6cR5';
const password = 'correct-horse-9';
const paste = `OPENAI ${key}\nDB_PASSWORD=${password}\npostgres://me:${password}@db/x`;

/** All that lies below a folder, as one text. */
async function readAll(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((each) => each.isFile())
    .map((each) => readFile(join(each.parentPath, each.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

it('a key in a prompt, a result, an answer, a waiting message or a name is in no file, export, search, trace or report', async () => {
  await using world = await openConversation({
    files: { 'env.txt': paste },
    work: async (on) => {
      if (on !== 'say') return paste;
      const { inbox } = world.runtime.conversations;
      await inbox.add(world.session.id, 'steer', `use ${key}`);
      await inbox.add(world.session.id, 'followUp', `and ${key}`);
      stored.push(await readAll(world.runtime.workspace.stateFolder));
      return 'said';
    },
  });
  const stored: string[] = [];
  const { runtime, session } = world;
  const model = createActingModel([
    works('look', 'say'),
    { text: `The key is ${key}.`, toolCalls: [{ name: 'read', arguments: { path: 'env.txt', note: key } }] },
    { thinking: `I saw ${key}`, text: `It was ${key}, the rest is fine.` },
    { text: 'Done.' },
  ]);
  const { turn, outcome } = await talk(world, `Look, my key is ${key}`, model);
  expect(outcome).toMatchObject({ status: 'completed' });
  await runtime.conversations.rename(session.id, `About ${key}`);
  await runtime.turns.traces.flush();
  const { signal } = new AbortController();
  const seen = {
    waiting: stored.join('\n'),
    files: await readAll(runtime.workspace.stateFolder),
    export: await runtime.conversations.exportMarkdown(session.id),
    list: JSON.stringify(await runtime.conversations.summaries()),
    search: JSON.stringify(await runtime.conversations.search('rest fine', signal)),
    trace: JSON.stringify(await runtime.turns.traces.get(turn.runId)),
    report: JSON.stringify(await runtime.conversations.prompt(session)),
    log: JSON.stringify(world.log.lines),
  };
  for (const [place, text] of Object.entries(seen)) {
    expect([place, text.includes(key), text.includes(password)]).toEqual([place, false, false]);
  }
  expect(seen.waiting).toContain('followUp');
  expect(seen.files).toContain('the rest is fine');
  expect(seen.search).toContain('rest is fine');
  expect(await runtime.conversations.search(key, signal)).toEqual([]);
});

it('the running turn reads what is kept: a key that was said is not in what the model gets, now or later', async () => {
  await using world = await openConversation({ work: () => paste });
  const model = createActingModel([works('look'), { text: 'Done.' }, { text: 'Gone.' }]);
  await talk(world, `my key is ${key}`, model);
  expect(JSON.stringify(model.asked[0]?.messages)).toContain('my key is [key removed]');
  await talk(world, 'again', model);
  expect(JSON.stringify(model.asked[2]?.messages)).not.toContain(key);
});

it('a key in the error of a failed call is in no trace', async () => {
  await using world = await openConversation();
  const missing = { name: 'read', arguments: { path: `missing-${key}.txt` } };
  const { turn } = await talk(world, 'look', createActingModel([{ toolCalls: [missing] }, { text: 'No.' }]));
  const trace = JSON.stringify(await world.runtime.turns.traces.get(turn.runId));
  expect(trace).toContain('missing-');
  expect(trace).not.toContain(key);
});
