import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { homeWithModel } from '../builders/homeWithModel.ts';
import {
  startScriptedModelServer,
  type ScriptedModelServer,
  textAnswer,
  toolCallAnswer,
} from '../builders/scriptedModelServer.ts';
import { failure } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
let server: ScriptedModelServer;
beforeEach(async () => {
  cli = await openCliWorld();
  server = await startScriptedModelServer();
});
afterEach(async () => {
  await server.dispose();
  await cli.close();
});

const jobAnswer = z.object({ job: z.object({ id: z.string(), isEnabled: z.boolean(), prompt: z.string() }) });

it('pincer cron adds, lists, edits, pauses, resumes, runs and removes a job, and tells its runs', async () => {
  server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'day two\n' } }]),
    textAnswer('Nobody let me.'),
  );
  const home = Object.entries(homeWithModel(server.baseUrl));
  await cli.write(Object.fromEntries(home.map(([path, text]) => [`../home/${path}`, text])));
  const added = jobAnswer.parse(
    (await cli.json(['cron', 'add', '-m', 'Write the log.', '--cron', '0 9 * * 1-5', '--tz', 'UTC'])).value,
  );
  const { id } = added.job;
  const listed = await cli.run(['cron', 'list']);
  expect(listed.stdout).toContain('0 9 * * 1-5 (UTC)');
  expect(listed.stdout).toContain('Write the log.');
  const edited = jobAnswer.parse(
    (await cli.json(['cron', 'edit', id, '-m', 'Write today’s log.', '--cron', '30 9 * * *', '--tz', 'UTC']))
      .value,
  );
  expect(edited.job.prompt).toBe('Write today’s log.');
  expect((await cli.run(['cron', 'list'])).stdout).toMatch(/30 9 \* \* \* \(UTC\) +Write today’s log\./u);
  expect((await cli.run(['cron', 'edit', id, '--cron', '45 9 * * *'])).code).toBe(0);
  expect((await cli.run(['cron', 'list'])).stdout).toContain('45 9 * * * (UTC)');
  expect((await cli.run(['cron', 'edit', id, '--tz', 'Europe/Vienna'])).code).toBe(0);
  expect((await cli.run(['cron', 'list'])).stdout).toContain('45 9 * * * (Europe/Vienna)');
  const unchanged = await cli.run(['cron', 'edit', id]);
  expect([unchanged.code, unchanged.stderr]).toEqual([
    2,
    expect.stringContaining('Nothing to change was given.'),
  ]);
  const paused = jobAnswer.parse((await cli.json(['cron', 'pause', id.slice(0, 4)])).value);
  expect(paused.job.isEnabled).toBe(false);
  expect((await cli.run(['cron', 'list'])).stdout).toContain('paused');
  expect((await cli.run(['cron', 'resume', id])).code).toBe(0);
  const ran = await cli.run(['cron', 'run', id]);
  expect([ran.code, ran.stdout]).toEqual([0, 'Nobody let me.\n']);
  const history = await cli.run(['cron', 'history', id]);
  expect(history.stdout).toMatch(/ok .*Nobody let me\./u);
  expect((await cli.run(['cron', 'remove', id])).stdout).toContain('is removed');
  expect((await cli.run(['cron', 'list'])).stdout).toContain('No job is scheduled');
});

it('pincer cron refuses an unknown job, an unknown agent and a time that is none', async () => {
  const codeOf = async (...args: readonly string[]): Promise<string> =>
    failure.parse((await cli.json(['cron', ...args])).value).error.code;
  expect(await codeOf('run', 'nothing')).toBe('job_unknown');
  expect(await codeOf('add', '-m', 'Look.', '--every', '1h', '--agent', 'nobody')).toBe('agent_unknown');
  expect(await codeOf('add', '-m', 'Look.')).toBe('job_invalid');
  expect(await codeOf('add', '-m', 'Look.', '--every', '5s')).toBe('job_invalid');
});
