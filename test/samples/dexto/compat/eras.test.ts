import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../../../src/contracts/tenant.ts';
import { openPointWorld } from '../points/openPointWorld.ts';
import type { PointTurn, PointWorld } from '../points/pointSample.ts';

const fixture = join(import.meta.dirname, 'fixture');
const reads = { toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] };
const lists = { toolCalls: [{ name: 'ls', arguments: {} }] };
const done = { text: 'Bye, secret.' };

/** The whole runtime on the fixtures, with this agent file; `own` is one more plugin. */
async function open(agentFile: string, own = ''): Promise<PointWorld & AsyncDisposable> {
  const world = await openPointWorld({
    async prepare({ agentDir }) {
      await cp(fixture, join(agentDir, 'eras'), { recursive: true });
      await writeFile(join(agentDir, 'own.js'), own);
      await writeFile(join(agentDir, 'agent.yml'), agentFile);
    },
  });
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

const module = (path: string): string => `module: "\${{dexto.agent_dir}}/eras/${path}"`;

describe('plugins of every era, together in one agent file and in real turns', () => {
  it('load and work, each in its own way', async () => {
    await using world = await open(`
plugins:
  custom:
    - { name: request-logger, ${module('first/request-logger.ts')}, priority: 1, blocking: false,
        config: { logDir: "\${{dexto.project_dir}}/logs" } }
    - { name: logger, ${module('imports/request-logger.ts')}, priority: 2 }
    - { name: old, ${module('old/plugin.cjs')}, priority: 3 }
    - { name: compiled, ${module('compiled/plugin.js')}, priority: 4 }
    - { name: awaited, ${module('modules/plugin.mjs')}, priority: 5 }
    - { name: policy, ${module('named/content-policy.ts')}, priority: 6, config: { maxInputChars: 12 } }
  registry:
    - { type: audit-logger, ${module('provider/audit-logger.ts')}, priority: 7, config: { maxLength: 30 } }
hooks:
  - { type: hook-logger, ${module('hook/request-logger.ts')} }
  - { type: word-filter, ${module('factory/word-filter.ts')} }
`);
    const names = [
      'request-logger',
      'logger',
      'old',
      'compiled',
      'awaited',
      'policy',
      'audit-logger',
      'hook-logger',
      'word-filter',
    ];
    for (const name of names) expect(world.plugin(name).status).toBe('loaded');
    const { sent, results, shown } = await world.say('When is high water?', [reads, done]);
    expect(sent).toContain('When is high"');
    expect(results).toEqual(['High water is at six.']);
    expect(shown).toBe('Bye, ***.');
    expect(world.logged()).toContain('[dexto:logger] seen 1');
    expect(world.logged()).toContain('[dexto:audit-logger] read {"path":"notes.md"}');
    for (const name of names) {
      const calls = world.plugin(name).dexto?.profile?.points.map((point) => point.calls - point.failed);
      expect(calls).not.toEqual([]);
      expect(calls?.every((count) => count > 0)).toBe(true);
    }
    await world.stop();
    const log = await readFile(join(world.workspace, 'logs', 'requests.log'), 'utf8');
    expect(log.trim().split('\n').slice(-5)).toEqual([
      'request 1 When is high water? to replay/test.jsonl',
      'call read {"path":"notes.md"}',
      'result read true',
      'response Bye, secret.',
      'closed after 1',
    ]);
  });
});

const tenantFile = `
plugins:
  custom:
    - { name: quota, module: "\${{dexto.agent_dir}}/own.js", priority: 1 }
    - { name: tenant-auth, ${module('tenant-auth/tenant-auth.ts')}, priority: 100, config: { enforceQuota: true, checkToolAccess: true } }
`;

/** Puts what the tenant may into the storage that the plugins of a tenant share. */
const quota = `export default class {
  async beforeLLMRequest({ text }, { tenantId, agent }) {
    const { database } = agent.storage;
    if (text.startsWith('allow ')) await database.set(\`tenant:\${tenantId}:allowed_tools\`, text.slice(6).split(' '));
    if (text.startsWith('limit ')) await database.set(\`tenant:\${tenantId}:quota\`, { tokensPerDay: Number(text.slice(6)) });
    return { ok: true, notices: [{ kind: 'info', message: JSON.stringify(await database.get(\`tenant:\${tenantId}:usage:tools\`)) ?? 'none' }] };
  }
}
`;

describe('the tenant example of the spec, word by word, in real turns', () => {
  it('allows and blocks tools and requests by tenant, and counts for each tenant alone', async () => {
    await using world = await open(tenantFile, quota);
    const { runtime } = world;
    const say = (tenant: Tenant, text: string, script: readonly object[]): Promise<PointTurn> =>
      runtime.conversations.withTenant(tenant, () =>
        world.say(text, script, { session: runtime.conversations.create() }),
      );
    const acme = { tenantId: 'acme', userId: 'ada' };
    const other = { tenantId: 'other', userId: 'bob' };

    // Nobody's turn is not judged; a tenant without an entry has ['*'], which is no tool's name.
    expect((await world.say('Hello', [reads, done])).results).toEqual(['High water is at six.']);
    const blocked = "Tool 'read' is not available on your plan.";
    expect((await say(acme, 'Hello', [reads, done])).results[0]).toContain(blocked);

    const { results } = await say(acme, 'allow read', [reads, lists, done]);
    expect(results[0]).toBe('High water is at six.');
    expect(results[1]).toContain("Tool 'ls' is not available on your plan.");
    expect((await say(other, 'Hello', [reads, done])).results[0]).toContain(blocked);

    expect((await say(acme, 'limit 0', [done])).outcome).toEqual({
      status: 'blocked',
      pluginId: 'tenant-auth',
      text: 'Daily token limit exceeded. Please upgrade your plan or try again tomorrow.',
      httpStatus: 429,
      code: 'PLUGIN_BLOCKED_EXECUTION',
    });
    expect((await say(other, 'Hello', [done])).outcome.status).toBe('completed');

    // Only calls that ran were counted, and written down with whose they were.
    const audit = world
      .logged()
      .split('\n')
      .filter((line) => line.includes('Tool execution completed'));
    expect(audit).toHaveLength(2);
    expect(audit[1]).toContain('"tenant":"acme","user":"ada","tool":"read","success":true');
    expect(world.logged()).toContain('info: {"read":1}');
  });
});
