import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGate, startScriptedModelServer, textAnswer } from '../builders/scriptedModelServer.ts';
import { agentTurn, failure } from './cliShapes.ts';
import { openCliWorld, type CliWorld, type RunningCli } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const transcript = (id: string): string => join(cli.state, 'sessions', `${id}.jsonl`);

describe('pincer agent --session', () => {
  it('goes on with a session: the model gets what was said before', async () => {
    const server = await startScriptedModelServer();
    try {
      server.script(textAnswer('You said one.'), textAnswer('And two.'));
      const env = { PINCER_BASE_URL: server.baseUrl, PINCER_MODEL: 'scripted' };
      const model = ['--model', 'openai-compatible'];
      const first = agentTurn.parse((await cli.json(['agent', '-m', 'one', ...model], { env })).value);
      const again = ['--session', first.sessionId];
      const second = agentTurn.parse(
        (await cli.json(['agent', '-m', 'two', ...model, ...again], { env })).value,
      );
      expect(second.sessionId).toBe(first.sessionId);
      const said = server.requests[1]?.body?.messages.filter(({ role }) => role !== 'system');
      expect(said?.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`)).toEqual([
        'user: "one"',
        'assistant: "You said one."',
        'user: "two"',
      ]);
    } finally {
      await server.dispose();
    }
  });

  it('waits for the turn of another process, says so, and reads all of it before its own', async () => {
    const server = await startScriptedModelServer();
    try {
      const gate = createGate();
      server.script(
        textAnswer('You said one.'),
        { steps: [{ wait: gate.opened }, ...textAnswer('Two, after a while.').steps] },
        textAnswer('Three, then.'),
      );
      const env = { PINCER_BASE_URL: server.baseUrl, PINCER_MODEL: 'scripted' };
      const model = ['--model', 'openai-compatible'];
      const first = agentTurn.parse((await cli.json(['agent', '-m', 'one', ...model], { env })).value);
      const say = (text: string): RunningCli =>
        cli.start(['agent', '-m', text, ...model, '--session', first.sessionId], { env });
      const second = say('two');
      await expect.poll(() => server.requests.length).toBe(2);
      const third = say('three');
      await third.waitForError('Another window or program is using this session.');
      expect(server.requests).toHaveLength(2);
      const listed = await cli.run(['sessions', 'list']);
      expect(listed.stdout).toContain('one (runs in another window or program)');
      expect(listed.stdout).not.toContain('interrupted');
      gate.open();
      expect(await second.done).toMatchObject({ code: 0, stdout: expect.stringContaining('Two') as string });
      const ended = await third.done;
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Three') as string });
      expect(ended.stderr).toContain('1 message from there is read now, too.');
      const said = server.requests[2]?.body?.messages.filter(({ role }) => role !== 'system');
      expect(said?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
      const states = (await readFile(transcript(first.sessionId), 'utf8'))
        .split('\n')
        .flatMap((line) => /"state":"(\w+)"/u.exec(line)?.[1] ?? []);
      expect(states.slice(-4)).toEqual(['started', 'completed', 'started', 'completed']);
    } finally {
      await server.dispose();
    }
  });

  it('keeps the sessions in the state folder, and nowhere else', async () => {
    const { sessionId } = agentTurn.parse((await cli.json(['agent', '-m', 'hello'])).value);
    expect(await readdir(join(cli.state, 'sessions'))).toEqual([`${sessionId}.jsonl`]);
    expect(await readdir(cli.workspace)).toEqual([]);
    expect(await readdir(cli.home)).toEqual([]);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'last', '../../etc/passwd'])(
    'refuses the unknown session %s',
    async (id) => {
      const { code, value, stderr } = await cli.json(['agent', '-m', 'x', '--session', id]);
      expect(code).toBe(2);
      expect(failure.parse(value).error.code).toBe('session_unknown');
      expect(stderr).toBe(
        `error: There is no session ${id}.\npincer sessions list shows those of this workspace.\n`,
      );
    },
  );

  it('offers in the list to repair one with a damaged first line, keeps the file as it was, and goes on with it', async () => {
    const { sessionId } = agentTurn.parse((await cli.json(['agent', '-m', 'hello there'])).value);
    const file = transcript(sessionId);
    const damaged = (await readFile(file, 'utf8')).replace(/^.*\n/u, 'x\n');
    await writeFile(file, damaged);
    const short = sessionId.slice(0, 8);
    expect((await cli.run(['sessions', 'list'])).stdout).toContain(`pincer sessions repair ${short}`);
    const { code, stdout } = await cli.run(['sessions', 'repair', short]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${sessionId} can be opened again. The file as it was: ${file}.damaged\n`,
    });
    expect(await readFile(`${file}.damaged`, 'utf8')).toBe(damaged);
    expect((await cli.run(['sessions', 'export', short])).stdout).toContain('hello there');
    expect((await cli.run(['agent', '-m', 'again', '--session', sessionId])).code).toBe(0);
    expect((await cli.json(['sessions', 'repair', short])).value).toMatchObject({
      error: { code: 'session_in_order' },
    });
    await cli.run(['sessions', 'delete', short, '--yes']);
    expect(await readdir(join(cli.state, 'sessions'))).toEqual([]);
  });

  it('repairs no session in a turn of another process, and one that it only has open', async () => {
    const server = await startScriptedModelServer();
    try {
      const gate = createGate();
      server.script({ steps: [{ wait: gate.opened }, ...textAnswer('Done, after a while.').steps] });
      const env = { PINCER_BASE_URL: server.baseUrl, PINCER_MODEL: 'scripted' };
      const open = agentTurn.parse((await cli.json(['agent', '-m', 'only open'])).value).sessionId;
      const running = cli.start(['agent', '-m', 'at work', '--model', 'openai-compatible'], { env });
      await expect.poll(() => server.requests.length).toBe(1);
      const marks = join(cli.state, 'open');
      const [mark = ''] = await readdir(marks);
      const [inTurn = '', pid] = mark.split('.');
      // As if the other process had this one open as well.
      await copyFile(join(marks, mark), join(marks, `${open}.${pid}.json`));
      for (const id of [open, inTurn]) {
        const text = await readFile(transcript(id), 'utf8');
        await writeFile(transcript(id), text.replace(/^.*\n/u, 'x\n'));
      }
      const repaired = await cli.json(['sessions', 'repair', inTurn]);
      expect(repaired.value).toMatchObject({ error: { code: 'session_in_use' } });
      expect((await cli.run(['sessions', 'delete', open, '--yes'])).stderr).toContain('has the session');
      expect((await cli.run(['sessions', 'repair', open])).code).toBe(0);
      gate.open();
      expect((await running.done).code).toBe(0);
      expect((await cli.run(['sessions', 'repair', inTurn])).code).toBe(0);
      expect((await cli.run(['sessions', 'export', inTurn])).stdout).toContain('Done, after a while.');
    } finally {
      await server.dispose();
    }
  });

  it('leaves a transcript that it can not read as it is, and says so once', async () => {
    const { sessionId } = agentTurn.parse((await cli.json(['agent', '-m', 'hello'])).value);
    await writeFile(transcript(sessionId), 'no session\n');
    const { code, stdout, stderr } = await cli.run(['agent', '-m', 'x', '--session', sessionId]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `error: The transcript ${transcript(sessionId)} has no readable first line.\n` +
        'Repair it with Repair Session in the Sessions view, or with pincer sessions repair.\n',
    );
    expect(await readFile(transcript(sessionId), 'utf8')).toBe('no session\n');
  });
});
