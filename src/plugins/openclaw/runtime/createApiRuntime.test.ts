import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../host/node/systemClock.ts';
import { createApiRuntime, type ApiRuntimeParts } from './createApiRuntime.ts';
import type { PluginRuntime } from '../../../sdk/types.ts';

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-runtime-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lines: string[] = [];
const write = (message: string): void => void lines.push(message);
const logger = { debug: write, info: write, warn: write, error: write };

function runtime(more: Partial<ApiRuntimeParts> = {}): PluginRuntime {
  return createApiRuntime({
    pluginId: 'p',
    currentConfig: () => ({ a: 1 }),
    stateDir: join(folder, 'state'),
    homeDir: folder,
    workspaceDir: () => folder,
    logger,
    assertLoaded: () => undefined,
    noteAbsent: () => undefined,
    noteIdle: () => undefined,
    events: { onAgentEvent: () => () => undefined, onSessionTranscriptUpdate: () => () => undefined },
    heartbeat: { request: () => undefined, runOnce: () => Promise.resolve() },
    enqueueSystemEvent: () => false,
    clock: systemClock,
    ...more,
  }) as PluginRuntime;
}

describe('api.runtime', () => {
  it('gives configuration, folders and loggers', async () => {
    const { config, state, agent, logging, version } = runtime();
    expect(config.loadConfig()).toEqual({ a: 1 });
    expect(config.current()).toEqual({ a: 1 });
    expect(state.resolveStateDir()).toBe(join(folder, 'state'));
    expect(agent.resolveAgentWorkspaceDir()).toBe(folder);
    expect(agent.resolveAgentDir()).toBe(join(folder, 'state', 'agent'));
    expect(agent.resolveAgentTimeoutMs()).toBe(3_600_000);
    expect(logging.shouldLogVerbose()).toBe(false);
    expect(version).toMatch(/^\d{4}\.\d+\.\d+$/u);
    logging.getChildLogger({ subsystem: 'sync' }).info('done');
    expect(lines).toEqual(['sync: done']);
  });

  it('refuses to write the configuration and to run agents, naming the plugin', async () => {
    await expect(runtime().config.writeConfigFile({})).rejects.toThrow(
      /Plugin p .*configuration is the user's/u,
    );
    const { agent } = runtime();
    const { runEmbeddedPiAgent } = agent as unknown as Readonly<
      Record<string, typeof agent.runEmbeddedAgent>
    >;
    for (const run of [agent.runEmbeddedAgent, runEmbeddedPiAgent])
      await expect(run?.({ prompt: 'x' })).rejects.toThrow('Plugin p wants to run an agent');
  });

  it('passes on to the ports it is given, and says which are missing', async () => {
    await expect(runtime().llm.complete({ prompt: 'x' })).rejects.toThrow('Plugin p asks a model');
    const complete = (): Promise<{ text: string }> => Promise.resolve({ text: 'yes' });
    expect(await runtime({ complete }).llm.complete({ prompt: 'x' })).toEqual({ text: 'yes' });
    expect(runtime().tools.createMemorySearchTool({})).toBeNull();
    expect(await runtime().memory.getActiveMemorySearchManager()).toEqual({
      manager: null,
      error: 'there is no memory here',
    });
  });

  it('has no member that does not work, and notes what the plugin looked for', () => {
    const looked: string[] = [];
    const noteAbsent = (member: string, lost: string): void => void looked.push(`${member}: ${lost}`);
    const { tts, media, toString: inherited } = runtime({ noteAbsent }) as unknown as Record<string, object>;
    expect([tts, Reflect.get(media ?? {}, 'resizeToJpeg')]).toEqual([undefined, undefined]);
    expect(looked).toEqual([
      'tts: a speech provider is asked when the user has an answer read aloud, and agreed to it; plugins ask nobody to speak',
      'media.resizeToJpeg: images go to the model as they are',
    ]);
    expect(inherited).toBe(Object.prototype.toString);
  });

  it('gives a queue for the ingress of a channel that can be passed on, and says that it keeps nothing', () => {
    const { openChannelIngressQueue } = runtime().state as unknown as Readonly<
      Record<string, () => { enqueue: () => unknown }>
    >;
    const queue = openChannelIngressQueue?.();
    expect(queue).toBeDefined();
    expect(() => queue?.enqueue()).toThrow(
      'openChannelIngressQueue() of api.runtime.state does not exist here',
    );
  });

  it('runs programs in the workspace folder, without a shell', async () => {
    const { system } = runtime();
    const script = 'process.stdout.write(process.cwd() + " " + process.argv[1])';
    const result = await system.runCommandWithTimeout(
      [process.execPath, '-e', script, '$(echo a) && b'],
      20_000,
    );
    expect(result).toMatchObject({ code: 0, termination: 'exit', stdout: `${folder} $(echo a) && b` });
    const failing = ['-e', 'console.error("no"); process.exit(3)'];
    expect(await system.runCommandWithTimeout([process.execPath, ...failing], 20_000)).toMatchObject({
      code: 3,
      stderr: 'no\n',
      killed: false,
    });
    await expect(system.runCommandWithTimeout(['no-such-program-here'], 1000)).rejects.toThrow(
      'Could not run no-such-program-here',
    );
    await expect(system.runCommandWithTimeout([], 1000)).rejects.toThrow('needs a list of texts');
  });

  it('ends a program whose time is over or whose caller gave up, and caps what it prints', async () => {
    const { system } = runtime();
    const forever = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    expect(await system.runCommandWithTimeout(forever, 200)).toMatchObject({
      killed: true,
      termination: 'timeout',
    });
    const signal = AbortSignal.timeout(200);
    expect(await system.runCommandWithTimeout(forever, { timeoutMs: 60_000, signal })).toMatchObject({
      termination: 'abort',
    });
    const loud = [process.execPath, '-e', 'process.stdout.write("x".repeat(500000))'];
    expect((await system.runCommandWithTimeout(loud, 20_000)).stdout).toHaveLength(200_000);
  });

  it('does nothing for a plugin that is no longer loaded', async () => {
    const assertLoaded = (): never => {
      throw new Error('no longer loaded');
    };
    await expect(runtime({ assertLoaded }).system.runCommandWithTimeout(['ls'], 1000)).rejects.toThrow(
      'no longer loaded',
    );
    await expect(runtime({ assertLoaded }).llm.complete({})).rejects.toThrow('no longer loaded');
  });
});
