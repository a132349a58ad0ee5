import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';

it('each file of the state folder that can not be read is among the problems, with what is lost, and the turn goes on', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-damaged-')));
  try {
    const first = await openTestRuntime({ root });
    await first.say('Is the tide high?', [{ text: 'It is.' }]);
    const { id, file } = first.session;
    await first[Symbol.asyncDispose]();

    const beside = (suffix: string): string => join(root, 'state', 'sessions', `${id}.${suffix}`);
    const questions = join(root, 'state', 'approvals', '1-x.json');
    await writeFile(file, `${await readFile(file, 'utf8')}{"type":"message"\n`);
    await writeFile(beside('inbox.json'), '{"version":1,"mess');
    await writeFile(beside('plugins.json'), '');
    await mkdir(join(root, 'state', 'approvals'), { recursive: true });
    await writeFile(questions, '{');

    await using test = await openTestRuntime({ root });
    const session = await test.runtime.conversations.sessions.open(id);
    const { outcome } = await test.say('And now?', [{ text: 'Still.' }], { session: session! });
    expect(outcome).toMatchObject({ status: 'completed' });
    await test.runtime.approvals.interrupted();
    const told = test.runtime.workspace.diagnostics().filter(({ code }) => code === 'state_unreadable');
    expect(told.map(({ source }) => source).sort()).toEqual(
      [file, beside('inbox.json'), beside('plugins.json'), questions].sort(),
    );
    expect(told.map(({ message }) => message.split(':')[0]).sort()).toEqual([
      'A part of a conversation is left out',
      'Questions that an ended window left open are lost',
      'What plugins kept of a session is lost',
      'What waited to be read in a session is lost',
    ]);
  } finally {
    await rm(root, { recursive: true });
  }
});
