import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { createSdkModules } from '../../src/plugins/openclaw/sdkModules.ts';
import { createHostFunctions } from '../../src/plugins/openclaw/createHostFunctions.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';

const sdk = join(projectRoot, 'dist', 'plugin-sdk');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-author-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const plugin = `import { definePluginEntry } from 'openclaw/plugin-sdk/plugin-entry';
import { jsonResult, readStringParam } from 'openclaw/plugin-sdk/param-readers';
import { z } from 'openclaw/plugin-sdk/zod';

export default definePluginEntry({
  id: 'shout',
  name: 'Shout',
  register(api) {
    api.registerTool({
      name: 'shout',
      description: 'Says it louder.',
      parameters: { type: 'object', properties: { text: { type: 'string' } } },
      execute: async (_id, params) =>
        jsonResult({ text: z.string().parse(readStringParam(params, 'text', { required: true }).toUpperCase()) }),
    });
  },
});
`;

const ownTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from './index.mjs';

test('shouts', async () => {
  const tools = [];
  plugin.register({ registerTool: (tool) => tools.push(tool) });
  const result = await tools[0].execute('1', { text: 'hi' });
  assert.deepEqual(result.details, { text: 'HI' });
  await assert.rejects(tools[0].execute('2', {}), /text required/);
});
`;

describe('the SDK as a package', () => {
  it('runs the tests of a plugin author, as docs/plugin-sdk.md shows', async () => {
    await writeFile(join(folder, 'index.mjs'), plugin);
    await writeFile(join(folder, 'index.test.mjs'), ownTest);
    await mkdir(join(folder, 'node_modules'));
    // What `npm install --save-dev path/to/plugin-sdk` makes of a folder.
    await symlink(sdk, join(folder, 'node_modules', 'openclaw'), 'junction');
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'index.test.mjs'], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined, VITEST: undefined },
    });
    expect(stdout).toMatch(/pass 1\b/u);
  });

  it('has every symbol that a plugin finds in the host', async () => {
    const runtime = (await import(join(sdk, 'openclaw.mjs'))) as object;
    const host = createHostFunctions({ pluginId: 'p', log: createInMemoryLog(), stateDir: folder });
    expect(Object.keys(runtime).toSorted()).toEqual(
      Object.keys(createSdkModules(host as never)[''] ?? {}).toSorted(),
    );
  });
});
