import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, ExecutionContext, ExtensionPoint, Logger } from '../../../../src/dexto/dextoTypes.ts';
import { systemClock } from '../../../../src/host/node/systemClock.ts';
import type { CheckedPlugin } from '../../../../src/dexto/load/loadTypes.ts';
import { openDextoLoader, type DextoLoaderWorld } from '../../../builders/openDextoLoader.ts';
import { openExtensionPoints, type PointPayloads } from '../../../builders/openExtensionPoints.ts';

/** Plugins of every form that upstream has had, loaded by the real loader and asked by the real runner. */
let world: DextoLoaderWorld;
let stored: Map<string, unknown>;
let logged: string[];
let tenantId: string | undefined;

beforeEach(async () => {
  world = await openDextoLoader();
  await world.copy(join(import.meta.dirname, 'fixture'), '.');
  stored = new Map();
  logged = [];
  tenantId = undefined;
});
afterEach(() => world.close());

describe('a plugin of every era loads and works:', () => {
  it('the tenant example of the spec, word by word', async () => {
    const plugin = await world.ready('tenant-auth', 'tenant-auth/tenant-auth.ts', {
      entry: { config: { enforceQuota: true, checkToolAccess: true } },
    });
    expect(plugin.plugin.points).toEqual(['beforeLLMRequest', 'beforeToolCall', 'afterToolResult']);
    expect(await ask(plugin, 'beforeLLMRequest', { text: 'Hello' })).toMatchObject({ outcome: 'passed' });
    tenantId = 'acme';
    stored.set(`tenant:acme:usage:${new Date().toISOString().slice(0, 10)}`, { tokens: 5, requests: 1 });
    stored.set('tenant:acme:quota', { tokensPerDay: 5 });
    stored.set('tenant:acme:allowed_tools', ['read']);
    expect(await ask(plugin, 'beforeLLMRequest', { text: 'Hello' })).toMatchObject({
      outcome: 'blocked',
      pluginId: 'tenant-auth',
      message: 'Daily token limit exceeded. Please upgrade your plan or try again tomorrow.',
      notices: [{ kind: 'block', code: 'QUOTA_EXCEEDED', details: { used: 5, limit: 5 } }],
    });
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'read', args: {} })).toMatchObject({
      outcome: 'passed',
    });
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'write', args: {} })).toMatchObject({
      outcome: 'blocked',
      message: "Tool 'write' is not available on your plan.",
    });
    await ask(plugin, 'afterToolResult', { toolName: 'read', result: 'x', success: true });
    await ask(plugin, 'afterToolResult', { toolName: 'read', result: 'x', success: true });
    expect(stored.get('tenant:acme:usage:tools')).toEqual({ read: 2 });
    expect(logged).toContain('info Tool execution completed');
  });

  it('types by a path of upstream’s own tree, and a file that is open until cleanup', async () => {
    const logDir = join(world.root, 'logs');
    const plugin = await world.ready('request-logger', 'first/request-logger.ts', {
      entry: { config: { logDir } },
    });
    expect(plugin.plugin.points).toHaveLength(4);
    await ask(plugin, 'beforeLLMRequest', { text: 'Hello' });
    await ask(plugin, 'beforeToolCall', { toolName: 'read', args: { path: 'a' } });
    await ask(plugin, 'afterToolResult', { toolName: 'read', result: 'x', success: true });
    await ask(plugin, 'beforeResponse', { content: 'Bye', provider: 'p' });
    expect(await world.loader.cleanUp([plugin])).toEqual([]);
    expect(await readFile(join(logDir, 'requests.log'), 'utf8')).toBe(
      'ready\nrequest 1 Hello to p/m\ncall read {"path":"a"}\nresult read true\nresponse Bye\nclosed after 1\n',
    );
  });

  it('types without the word type, and an error class of the package', async () => {
    const plugin = await world.ready('logger', 'imports/request-logger.ts');
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'read', args: {} })).toMatchObject({
      outcome: 'passed',
    });
    expect(logged).toContain('info seen 1');
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'forbidden', args: {} })).toMatchObject({
      outcome: 'blocked',
    });
  });

  it('a provider with a schema, whose class gets its settings when it is made', async () => {
    const plugin = await world.ready('audit', 'provider/audit-logger.ts', {
      entry: { config: { maxLength: 5 } },
    });
    await ask(plugin, 'beforeToolCall', { toolName: 'read', args: { path: 'a' } });
    expect(logged).toContain('info read {"pat');
    expect(plugin.entry.config).toEqual({ type: 'audit-logger', level: 'info', maxLength: 5 });
    expect(plugin.plugin.instance).toMatchObject({ initialized: plugin.entry.config });
  });

  it('a hook that keeps its files in upstream’s folder, which is one of its own here', async () => {
    const plugin = await world.ready('request-logger', 'hook/request-logger.ts');
    await ask(plugin, 'beforeLLMRequest', { text: 'Hello' });
    const { file } = plugin.plugin.instance as { readonly file?: string };
    expect(file?.startsWith(join(world.root, 'state', 'plugin-state'))).toBe(true);
    expect(await readFile(file ?? '', 'utf8')).toBe('ready\nHello\n');
  });

  it('an exported factory', async () => {
    const plugin = await world.ready('filter', 'factory/word-filter.ts', {
      entry: { config: { words: ['Bye'] } },
    });
    expect(await ask(plugin, 'beforeResponse', { content: 'Bye now', provider: 'p' })).toMatchObject({
      payload: { content: '*** now' },
    });
  });

  it('an image with several, of which the name in the agent file says the one', async () => {
    const plugin = await world.ready('second-guard', 'image/index.ts');
    const made = plugin.plugin.instance.beforeToolCall?.(
      { toolName: 'read', args: {} },
      {} as ExecutionContext,
    );
    expect(await made).toMatchObject({ message: 'second' });
  });

  it('a class by name alone, as upstream’s own plugins are', async () => {
    const plugin = await world.ready('contentPolicy', 'named/content-policy.ts', {
      entry: { config: { maxInputChars: 3 } },
    });
    expect(await ask(plugin, 'beforeLLMRequest', { text: 'abcdef' })).toMatchObject({
      payload: { text: 'abc' },
    });
  });

  it('JavaScript that a compiler made, with the error class of a plugin', async () => {
    const plugin = await world.ready('compiled', 'compiled/plugin.js');
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'bad', args: {} })).toMatchObject({
      outcome: 'blocked',
    });
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'good', args: {} })).toMatchObject({
      outcome: 'passed',
    });
  });

  it('an ES module that awaits before it exports', async () => {
    const plugin = await world.ready('awaited', 'modules/plugin.mjs');
    const made = plugin.plugin.instance.beforeResponse?.(
      { content: '', provider: 'p' },
      {} as ExecutionContext,
    );
    expect(await made).toEqual({ ok: true, message: 'waited' });
  });

  it('CommonJS, a class as functions were once written, methods that return no promise', async () => {
    const plugin = await world.ready('old', 'old/plugin.cjs');
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'read', args: {} })).toMatchObject({
      outcome: 'passed',
    });
    expect(plugin.plugin.instance).toMatchObject({ calls: 1 });
  });

  it('an npm package, with what it depends on', async () => {
    await mkdir(join(world.dir, 'node_modules'));
    await rename(
      join(world.dir, 'npm', 'packages', '@mycompany'),
      join(world.dir, 'node_modules', '@mycompany'),
    );
    const plugin = await world.ready('tenants', '@mycompany/dexto-tenant-plugin', {
      entry: { version: '^2.0.0' },
    });
    expect(plugin).toMatchObject({ version: '2.3.4', entry: { dependsOn: ['audit'] } });
    expect(await ask(plugin, 'beforeToolCall', { toolName: 'write', args: {} })).toMatchObject({
      outcome: 'blocked',
      message: 'no write',
    });
  });
});

async function ask<P extends ExtensionPoint>(
  { plugin }: CheckedPlugin,
  point: P,
  payload: PointPayloads[P],
): Promise<unknown> {
  const { points } = openExtensionPoints([plugin], { clock: systemClock, context });
  return await points.run(point, payload);
}

function context(): ExecutionContext {
  const at =
    (level: string): Logger['info'] =>
    (message) =>
      void logged.push(`${level} ${message}`);
  const logger: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  const database: Pick<Database, 'get' | 'set'> = {
    get: <T>(key: string) => Promise.resolve(stored.get(key) as T | undefined),
    set: (key, value) => Promise.resolve(void stored.set(key, value)),
  };
  return {
    sessionId: 's1',
    ...(tenantId === undefined ? {} : { tenantId }),
    llmConfig: { provider: 'p', model: 'm' },
    logger,
    agent: { storage: { database } },
  } as unknown as ExecutionContext;
}
