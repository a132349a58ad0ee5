import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  hangingAnswer,
  startScriptedModelServer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import { agentTurn, failure } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';
import { until } from '../builders/until.ts';

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

const ask = ['agent', '-m', 'hello', '--model', 'openai-compatible'];
const environment = (): Record<string, string> => ({
  PINCER_BASE_URL: server.baseUrl,
  PINCER_MODEL: 'small',
});

/** Seconds; no other process sleeps as long. */
const sleep = '86397';
const sleepers = (): readonly string[] =>
  spawnSync('pgrep', ['-f', `sleep ${sleep}$`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '');

describe('pincer agent --model openai-compatible', () => {
  it('asks the server that the environment names, with its key', async () => {
    server.script(textAnswer('Hel', 'lo.'));
    const env = { ...environment(), PINCER_API_KEY: 'secret-key' };
    const { code, stdout, stderr } = await cli.run(ask, { env });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' });
    const [request] = server.requests;
    expect(request?.body?.model).toBe('small');
    expect(request?.headers['authorization']).toBe('Bearer secret-key');
  });

  it('needs no key', async () => {
    server.script(textAnswer('Hello.'));
    const { value } = await cli.json(ask, { env: environment() });
    expect(agentTurn.parse(value).model).toBe('environment/small');
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
  });

  it('carries out tool calls that come in pieces', async () => {
    await cli.write({ 'workspace/a.md': 'the text' });
    server.script(toolCallAnswer([{ name: 'read', arguments: { path: 'a.md' } }]), textAnswer('Done.'));
    const { code, stdout } = await cli.run(ask, { env: environment() });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
    expect(JSON.stringify(server.requests[1]?.body?.messages.at(-1)?.content)).toContain('the text');
  });

  it('asks the first server of the config where the environment names none', async () => {
    const provider = {
      api: 'openai-compatible',
      baseUrl: server.baseUrl,
      apiKey: { env: 'MY_KEY' },
      models: [{ id: 'big' }],
    };
    await cli.write({
      '../home/config.jsonc': JSON.stringify({ models: { providers: { mine: provider } } }),
    });
    server.script(textAnswer('Hello.'));
    const { value } = await cli.json(ask, { env: { MY_KEY: 'k' } });
    expect(agentTurn.parse(value).model).toBe('mine/big');
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer k');
  });

  it.each([
    ['nothing is configured', {}, 'Set PINCER_BASE_URL and PINCER_MODEL, or add one'],
    ['the model has no name', { PINCER_BASE_URL: 'http://127.0.0.1:9/v1' }, 'Set PINCER_MODEL'],
    ['the address is none', { PINCER_BASE_URL: 'localhost', PINCER_MODEL: 'x' }, 'http://localhost:11434/v1'],
    [
      'the address is no http',
      { PINCER_BASE_URL: 'file:///x', PINCER_MODEL: 'x' },
      'http://localhost:11434/v1',
    ],
  ])('says what to do where %s', async (_case, env, hint) => {
    const { code, value, stderr } = await cli.json(ask, { env });
    expect(code).toBe(2);
    const { error } = failure.parse(value);
    expect(error.code).toBe('model_unknown');
    expect(error.hint).toContain(hint);
    expect(stderr).toBe(`error: ${error.message}\n${error.hint ?? ''}\n`);
  });

  it('says what to do when the server refuses the key, without showing it', async () => {
    server.script(statusAnswer(401, 'bad key'));
    const { code, stdout, stderr } = await cli.run(ask, {
      env: { ...environment(), PINCER_API_KEY: 'secret-key' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n.+\n$/u);
    expect(stderr).not.toContain('secret-key');
  });
});

describe('Ctrl-C, the system or a closed terminal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends a stream at once with 130, and the connection with it',
    async (signal) => {
      server.script(hangingAnswer('Once upon'));
      const running = cli.start(ask, { env: environment() });
      await running.waitForOutput('Once upon');
      running.interrupt(signal);
      expect(await running.done).toEqual({ code: 130, stdout: 'Once upon\n', stderr: 'Cancelled.\n' });
      await server.waitForAbandoned(1);
    },
  );

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s ends the commands that the turn has started, and its session',
    async (signal) => {
      server.script(
        toolCallAnswer([{ name: 'exec', arguments: { command: `sleep ${sleep}` } }]),
        textAnswer('Done.'),
      );
      const config = { tools: { exec: { allow: [`sleep ${sleep}`] } } };
      await cli.write({ '../home/config.jsonc': JSON.stringify(config) });
      const running = cli.start([...ask, '--json'], { env: environment() });
      await server.waitForRequests(1);
      await until(() => expect(sleepers()).toHaveLength(1));
      running.interrupt(signal);
      const { code, stdout } = await running.done;
      expect(code).toBe(130);
      expect(sleepers()).toEqual([]);
      expect(agentTurn.parse(JSON.parse(stdout)).outcome).toEqual({ status: 'cancelled' });
    },
  );

  it('is an outcome in JSON, and the transcript knows it', async () => {
    server.script(hangingAnswer('Once upon'), textAnswer('And on.'));
    const running = cli.start([...ask, '--json'], { env: environment() });
    await server.waitForRequests(1);
    running.interrupt();
    const { code, stdout } = await running.done;
    expect(code).toBe(130);
    const turn = agentTurn.parse(JSON.parse(stdout));
    expect(turn.outcome).toEqual({ status: 'cancelled' });
    const again = await cli.run([...ask, '--session', turn.sessionId], { env: environment() });
    expect(again).toEqual({ code: 0, stdout: 'And on.\n', stderr: '' });
  });
});
