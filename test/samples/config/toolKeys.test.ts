import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import type { Host } from '../../../src/host/ports.ts';
import { createLoopbackNetwork, startLoopbackServer } from '../../builders/createLoopbackNetwork.ts';
import { calls, createActingModel } from '../conversations/actingModel.ts';
import { openConversation, talk } from '../conversations/openConversation.ts';

const withHost = (more: Partial<Host>) => (host: Host) => ({ ...host, ...more });

/** The tools that a model is offered under this config. */
async function offered(config: object, adjustHost = withHost({})): Promise<readonly string[]> {
  await using world = await openConversation({ config, adjustHost });
  const model = createActingModel([{ text: 'Fine.' }]);
  await talk(world, 'hi', model);
  return model.asked[0]?.tools.map(({ name }) => name) ?? [];
}

describe('which tools there are', () => {
  it('tools.allow leaves those that it names', async () => {
    expect(await offered({ tools: { allow: ['read', 'grep'] } })).toEqual(['read', 'grep']);
  });

  it('tools.deny takes away those that it names', async () => {
    const names = await offered({ tools: { deny: ['read'] } });
    expect(names).toContain('grep');
    expect(names).not.toContain('read');
  });

  it('tools.profile chooses a set by its purpose', async () => {
    expect(await offered({ tools: { profile: 'minimal' } })).toEqual(['session_status']);
  });

  it('tools.profiles defines a set by a name of its own', async () => {
    const tools = { profile: 'reader', profiles: { reader: { allow: ['read'] } } };
    expect(await offered({ tools })).toEqual(['read']);
  });

  it('a profile with a key that there is not allows nothing', async () => {
    const tools = { profile: 'coding', profiles: { coding: { tools: ['read'] } } };
    expect(await offered({ tools })).toEqual([]);
  });

  it('tools.alsoAllow adds to the profile', async () => {
    const tools = { profile: 'minimal', alsoAllow: ['read'] };
    expect([...(await offered({ tools }))].sort()).toEqual(['read', 'session_status']);
  });

  it('tools.byProvider holds for the models of one provider', async () => {
    expect(await offered({ tools: { byProvider: { replay: { allow: ['read'] } } } })).toEqual(['read']);
    expect(await offered({ tools: { byProvider: { other: { allow: ['read'] } } } })).toContain('grep');
  });

  it('tools.providers is another name of tools.byProvider', async () => {
    expect(await offered({ tools: { providers: { replay: { allow: ['read'] } } } })).toEqual(['read']);
  });

  it('agents.*.tools holds for one agent', async () => {
    expect(await offered({ agents: { main: { tools: { allow: ['read'] } } } })).toEqual(['read']);
    const agents = { main: {}, other: { tools: { allow: ['read'] } } };
    expect(await offered({ agents })).toContain('grep');
  });

  it('tools.subagents holds for an agent that another one has started', async () => {
    const config = { tools: { subagents: { tools: { deny: ['read'] } } } };
    await using world = await openConversation({ config });
    const model = createActingModel([
      calls('sessions_spawn', { task: 'Look.' }),
      { text: 'Seen.' },
      { text: 'Done.' },
    ]);
    await talk(world, 'hi', model);
    const has = model.asked.map(({ tools }) => tools.some(({ name }) => name === 'read'));
    expect(has).toEqual([true, false, true]);
  });

  it('tools.web.fetch.enabled takes web_fetch away where it is false', async () => {
    expect(await offered({ tools: { web: { fetch: { enabled: false } } } })).not.toContain('web_fetch');
  });
});

describe('commands', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-tool-keys-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('tools.sandbox holds while commands run in the container', async () => {
    // A Docker that says that it is there: no command is run.
    const docker = join(folder, 'docker');
    await writeFile(docker, '#!/bin/sh\necho 27\n');
    await chmod(docker, 0o755);
    const sandbox = { tools: { deny: ['read'] } };
    const adjustHost = withHost({ env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` } });
    const inside = await offered({ sandbox: { enabled: true }, tools: { sandbox } }, adjustHost);
    expect(inside).toContain('exec');
    expect(inside).not.toContain('read');
    expect(await offered({ tools: { sandbox } })).toContain('read');
  });

  it('tools.exec.security lets no command run where it says deny', async () => {
    const run = async (security: string): Promise<string> => {
      const config = { tools: { exec: { security, allow: ['echo **'] } } };
      await using world = await openConversation({ config, answer: 'allow-once' });
      const model = createActingModel([calls('exec', { command: 'echo a-$((1+1))' }), { text: 'Done.' }]);
      await talk(world, 'hi', model);
      return lastResult(model.asked);
    };
    expect(await run('allowlist')).toContain('a-2');
    expect(await run('deny')).not.toContain('a-2');
  });
});

it('tools.web.fetch.maxChars is the most of a page that one call gives', async () => {
  const server = await startLoopbackServer((_request, response) => response.end('word '.repeat(1_000)));
  const url = `http://a.example:${String(server.port)}/`;
  try {
    await using world = await openConversation({
      config: { tools: { web: { fetch: { maxChars: 100 } } } },
      answer: 'allow-once',
      adjustHost: withHost({ network: createLoopbackNetwork().network }),
    });
    const model = createActingModel([calls('web_fetch', { url }), { text: 'Done.' }]);
    await talk(world, 'hi', model);
    const words = lastResult(model.asked).match(/word /gu) ?? [];
    expect(words.length).toBeGreaterThan(10);
    expect(words.length).toBeLessThan(30);
  } finally {
    await server.close();
  }
});

function lastResult(asked: readonly ModelRequest[]): string {
  return JSON.stringify(asked.at(-1)?.messages.at(-1));
}
