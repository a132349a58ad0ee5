import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Terminal } from '../../../src/cli/askInTerminal.ts';
import { reviewApprovals } from '../../../src/cli/commands/approvalsProgram.ts';
import { askHere } from '../../../src/cli/commands/gatewayCommand.ts';
import { createProgram } from '../../../src/cli/createProgram.ts';
import { connectToGateway, type GatewayClient } from '../../../src/cli/gatewayClient.ts';
import { gatewayWithModel } from '../../builders/gatewayWithModel.ts';
import { gatewayToken } from '../../builders/openTestRuntime.ts';
import type { JobRun } from '../../../src/schedule/job.ts';
import { createGate, textAnswer, toolCallAnswer } from '../../builders/scriptedModelServer.ts';

type World = Awaited<ReturnType<typeof gatewayWithModel>>;

function openTerminal(): Terminal & { readonly input: PassThrough; readonly shown: () => string } {
  const output = Object.assign(new PassThrough(), { columns: 200 });
  let text = '';
  output.on('data', (data: Buffer) => (text += data.toString('utf8')));
  return { input: new PassThrough(), output, shown: () => text };
}

/** A job that wants to write; it waits, and `ended` tells what came of it. */
async function runJob(world: World): Promise<{ readonly ended: Promise<JobRun> }> {
  const { schedule, approvals } = world.runtime;
  world.server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'day two\n' } }]),
    textAnswer('Done.'),
  );
  const job = { name: 'Nightly check', prompt: 'Write the log.', when: { every: '10m' } };
  const { id } = await schedule.add(job, { kind: 'user' });
  const run = await schedule.runNow(id);
  await expect.poll(() => approvals.pending()).toHaveLength(1);
  return run;
}

const open = (): Promise<World> => gatewayWithModel({ files: { 'log.md': 'day one\n' } });
const log = ({ workspace }: World): Promise<string> => readFile(join(workspace, 'log.md'), 'utf8');
const collected = () => {
  const said: string[] = [];
  return {
    said,
    output: { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) },
  };
};

it('under pincer gateway run the terminal asks what a job would have asked, and a yes there carries it out', async () => {
  await using world = await open();
  const terminal = openTerminal();
  const { said, output } = collected();
  const asking = askHere(world.runtime, terminal, output, () => said.push('interrupted'));
  onTestFinished(() => asking.dispose());
  const { ended } = await runJob(world);
  await expect.poll(terminal.shown).toContain('scheduled job "Nightly check": Write log.md');
  await expect.poll(terminal.shown).toContain('Allow? (y = once');
  expect(await log(world)).toBe('day one\n');
  terminal.input.write('y\n');
  expect(await ended).toMatchObject({ status: 'ok', summary: 'Done.' });
  expect(await log(world)).toBe('day two\n');
  expect(said).toEqual([]);
});

it('anything else there is a no, which the job hears as one', async () => {
  await using world = await open();
  const terminal = openTerminal();
  const asking = askHere(world.runtime, terminal, collected().output, () => undefined);
  onTestFinished(() => asking.dispose());
  const { ended } = await runJob(world);
  await expect.poll(terminal.shown).toContain('Allow? (y = once');
  terminal.input.write('\n');
  expect(await ended).toMatchObject({ status: 'ok' });
  expect(await log(world)).toBe('day one\n');
  expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('denied');
});

it('words of a no there are the result of the call of a job, and no message to it', async () => {
  await using world = await open();
  const terminal = openTerminal();
  const asking = askHere(world.runtime, terminal, collected().output, () => undefined);
  onTestFinished(() => asking.dispose());
  const { ended } = await runJob(world);
  await expect.poll(terminal.shown).toContain('Allow? (y = once');
  terminal.input.write('n\n');
  await expect.poll(terminal.shown).toContain('Why not');
  terminal.input.write('Write it into notes.md.\n');
  expect(await ended).toMatchObject({ status: 'ok' });
  const said = 'Denied by user, who says: Write it into notes.md.';
  expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain(said);
  expect(world.runtime.approvals.history().at(-1)).toMatchObject({ reason: said });
});

async function connect({ url }: World): Promise<GatewayClient> {
  const client = await connectToGateway({ url, token: gatewayToken }, [
    'operator.read',
    'operator.approvals',
  ]);
  onTestFinished(() => client[Symbol.dispose]());
  return client;
}

it('another terminal reviews what waits: all of the call stands there before a yes counts', async () => {
  await using world = await open();
  const { ended } = await runJob(world);
  const terminal = openTerminal();
  const { said, output } = collected();
  const reviewed = reviewApprovals(await connect(world), terminal, output, '');
  await expect.poll(terminal.shown).toContain('Allow? (y = once, n = no)');
  expect(terminal.shown()).toContain('+day two');
  terminal.input.write('y\n');
  expect(await reviewed).toBe(0);
  expect(said).toEqual(['scheduled job "Nightly check": Write log.md: allowed once.\n']);
  expect(await ended).toMatchObject({ status: 'ok' });
  expect(await log(world)).toBe('day two\n');
});

it('a no from another terminal is one, and a question that somebody else answers is taken back there', async () => {
  await using world = await open();
  const first = await runJob(world);
  const client = await connect(world);
  const terminal = openTerminal();
  const { said, output } = collected();
  const denied = reviewApprovals(client, terminal, output, world.runtime.approvals.pending()[0]?.id ?? '');
  await expect.poll(terminal.shown).toContain('Allow?');
  terminal.input.write('n\n');
  await expect.poll(terminal.shown).toContain('Enter = say nothing');
  terminal.input.write('\n');
  await denied;
  await first.ended;
  expect(await log(world)).toBe('day one\n');

  const second = await runJob(world);
  const again = openTerminal();
  const reviewed = reviewApprovals(client, again, output, '');
  await expect.poll(again.shown).toContain('Allow?');
  const [request] = world.runtime.approvals.pending();
  world.runtime.approvals.resolve(request?.id ?? '', 'deny', 'chat');
  await reviewed;
  await second.ended;
  expect(said.map((line) => line.split(': ').at(-1))).toEqual([
    'denied.\n',
    'Write log.md was answered elsewhere.\n',
  ]);
  await expect(reviewApprovals(client, again, output, 'none-such')).rejects.toThrow('none-such');
});

it('a no from another terminal carries words: the agent reads them in the result of its call, and the record keeps them', async () => {
  await using world = await open();
  const { ended } = await runJob(world);
  const terminal = openTerminal();
  const { said, output } = collected();
  const denied = reviewApprovals(await connect(world), terminal, output, '');
  await expect.poll(terminal.shown).toContain('Allow?');
  terminal.input.write('n\n');
  await expect.poll(terminal.shown).toContain('Enter = say nothing');
  terminal.input.write('Write it into notes.md.\n');
  await denied;
  await ended;
  expect(said[0]).toMatch(/: denied, with your reason\.\n$/u);
  expect(world.runtime.approvals.history().at(-1)).toMatchObject({
    allowed: false,
    by: 'gateway',
    reason: 'Denied by user, who says: Write it into notes.md.',
  });
  expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('Write it into notes.md.');
  expect(await log(world)).toBe('day one\n');
});

it('a no with words from the view reaches the agent of a job, too', async () => {
  await using world = await open();
  const { ended } = await runJob(world);
  const [request] = world.runtime.approvals.pending();
  // A surface gives the words to the record and the result of the call there, as another terminal does.
  expect(request?.isUnattended).toBe(true);
  const { conversations } = world.runtime;
  expect(conversations.running(request?.sessionId ?? '')).toBeDefined();
  await conversations.inbox.add(request?.sessionId ?? '', 'steer', 'Write it into notes.md.');
  await ended;
  expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain('Write it into notes.md.');
  expect(await log(world)).toBe('day one\n');
});

it('a wrong token is told as such, and a gateway that has gone, too', async () => {
  const world = await open();
  await expect(connectToGateway({ url: world.url, token: 'wrong' }, [])).rejects.toMatchObject({
    code: 'gateway_token_wrong',
  });
  const client = await connect(world);
  await world[Symbol.asyncDispose]();
  await expect(client.ask('approvals.list')).rejects.toMatchObject({ code: 'gateway_not_running' });
});

it('pincer cron list says of a job that is due that it waits for a free place in the process that serves', async () => {
  await using world = await open();
  const { schedule } = world.runtime;
  const gate = createGate();
  world.server.answerAll(() => ({ steps: [{ wait: gate.opened }, ...textAnswer('Done.').steps] }));
  for (let number = 1; number <= 3; number += 1) {
    const job = { name: `Long ${String(number)}`, prompt: 'Wait.', when: { every: '10m' } };
    await schedule.runNow((await schedule.add(job, { kind: 'user' })).id);
  }
  await schedule.start();
  await schedule.add({ name: 'Short', prompt: 'Hurry.', when: { at: '1s' } }, { kind: 'user' });
  const root = join(world.workspace, '..');
  vi.stubEnv('PINCER_HOME', join(root, 'home'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const list = async (): Promise<string> => {
    const { said, output } = collected();
    const where = ['--workspace', world.workspace, '--state-dir', join(root, 'state')];
    await createProgram(output).run(['cron', 'list', ...where]);
    return said.join('');
  };
  await expect.poll(list).toMatch(/waits for another job to end .* Short/u);
  gate.open();
  await expect.poll(list).toMatch(/done +ok .* Short/u);
});
