import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DextoPluginError, DextoRuntimeError } from '../dextoErrors.ts';
import { createDextoModules } from './createDextoModules.ts';

let stateDir: string;
beforeAll(async () => {
  stateDir = join(await mkdtemp(join(tmpdir(), 'pincer-core-')), 'state');
});
afterAll(() => rm(join(stateDir, '..'), { recursive: true, force: true }));

type Exports = Readonly<Record<string, never>>;

function modules(): (name: string) => Exports | undefined {
  const provided = createDextoModules({ name: 'guard', stateDir });
  return (name) => provided(name)?.exports as Exports | undefined;
}

describe('createDextoModules', () => {
  it('provides the package under each of its names and subpaths, and leaves all other names alone', () => {
    const provide = modules();
    for (const name of ['@dexto/core', '@dexto/core/plugins/types.js', '@core/plugins/types.js', '@core']) {
      expect(provide(name)?.['DextoPluginError'], name).toBe(DextoPluginError);
    }
    for (const name of ['dexto', '@dexto', '@corex/y', './core', 'zod', '@openclaw/plugin-sdk']) {
      expect(provide(name), name).toBeUndefined();
    }
  });

  it.each([
    ['@dexto/core/plugins/content-policy', 'ContentPolicyPlugin', 'beforeLLMRequest'],
    ['@dexto/core/plugins/response-sanitizer.js', 'ResponseSanitizerPlugin', 'beforeResponse'],
  ] as const)('gives a built-in plugin as the class that %s exports', async (subpath, name, point) => {
    const { default: Made, [name]: named } = modules()(subpath) as unknown as Record<
      string,
      new () => Record<string, (...args: unknown[]) => Promise<unknown>>
    >;
    if (Made === undefined) throw new Error('no default export');
    expect(named).toBe(Made);
    const plugin = new (class extends Made {})();
    await plugin['initialize']?.({ redactEmails: true });
    const payload = { text: 'to me@example.com', content: 'to me@example.com' };
    expect(JSON.stringify(await plugin[point]?.(payload))).toContain('to [EMAIL]');
  });

  it('gives errors and their codes as the spec has them', () => {
    const core = modules()('@dexto/core') as unknown as {
      readonly DextoRuntimeError: new (...args: readonly unknown[]) => DextoRuntimeError;
      readonly ErrorType: Readonly<Record<string, string>>;
    };
    const error = new core.DextoRuntimeError('no', {
      type: core.ErrorType['PLUGIN_INVALID_SHAPE'],
      cause: 1,
    });
    expect(error).toBeInstanceOf(DextoRuntimeError);
    expect(error).toMatchObject({ message: 'no', code: 'PLUGIN_INVALID_SHAPE', cause: 1 });
  });

  it('also makes errors as later versions write them, with the message in its place', () => {
    const core = modules()('@dexto/core') as unknown as {
      readonly DextoRuntimeError: new (...args: readonly unknown[]) => DextoRuntimeError;
    };
    const error = new core.DextoRuntimeError('my_code', 'plugin', 'user', 'no such tenant', { tenant: 'a' });
    expect(error).toMatchObject({ message: 'no such tenant', code: 'my_code', context: { tenant: 'a' } });
  });

  it('keeps what upstream puts below the home folder in a folder of the plugin, whatever path it is asked for', () => {
    const { getDextoGlobalPath } = modules()('@dexto/agent-management') as unknown as {
      readonly getDextoGlobalPath: (kind?: string, file?: string) => string;
    };
    expect(getDextoGlobalPath('logs', 'a.log')).toBe(join(stateDir, 'logs', 'a.log'));
    expect(existsSync(join(stateDir, 'logs'))).toBe(true);
    expect(getDextoGlobalPath('../..', '../../b')).toBe(join(stateDir, 'b'));
  });

  it('names symbol, module and plugin where something is used that is not there', () => {
    const { NoSuchThing } = modules()('@dexto/agent-config') as unknown as {
      readonly NoSuchThing: () => void;
    };
    expect(() => NoSuchThing()).toThrow(
      'NoSuchThing of @dexto/agent-config does not exist here (used by plugin guard)',
    );
  });

  it('says why the editor’s own module is not there', () => {
    expect(() => modules()('vscode')).toThrow(/Plugin guard imports "vscode"/u);
  });
});
