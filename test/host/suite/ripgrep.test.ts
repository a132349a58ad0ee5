import * as assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { findRipgrep } from '../../../src/editor/host/findRipgrep.ts';
import { createNodeFileSystem } from '../../../src/host/node/nodeFileSystem.ts';
import { createNodeProcesses } from '../../../src/host/node/nodeProcesses.ts';
import { systemClock } from '../../../src/host/node/systemClock.ts';
import type { CoreToolDeps } from '../../../src/tools/core/coreTool.ts';
import { createRipgrep } from '../../../src/tools/core/createRipgrep.ts';
import { createGrepTool } from '../../../src/tools/core/grep.ts';
import { createDiskFiles } from '../../../src/tools/createDiskFiles.ts';
import { testCall, testRun } from '../../builders/callContexts.ts';

const files: Readonly<Record<string, string | Uint8Array>> = {
  'a.md': 'one fox\r\nüber fox x\n',
  'src/b.ts': 'const fox = 1;\n-e\n',
  '.hidden/c.md': 'fox',
  '.env': 'fox=1\n',
  'node_modules/x/b.ts': 'const fox = 1;\n',
  'data.bin': new Uint8Array([102, 111, 120, 0, 1]),
};

const queries: readonly Record<string, unknown>[] = [
  { pattern: 'fox' },
  { pattern: 'fox', glob: '*.ts' },
  { pattern: 'fox', glob: 'src/**' },
  { pattern: 'fox', path: 'src' },
  { pattern: 'fox', path: 'a.md' },
  { pattern: 'FOX', ignoreCase: true },
  { pattern: 'fox x$' },
  { pattern: '-e', literal: true },
  { pattern: '(?<=one )fox' },
];

describe('grep by the ripgrep of this editor', () => {
  it('finds the lines that our own search finds, and none in files that may hold secrets', async () => {
    const program = await findRipgrep(vscode.env.appRoot);
    assert.ok(program !== undefined, 'this editor ships no ripgrep');
    const root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-rg-')));
    try {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
      const ripgrep = createRipgrep(createNodeProcesses(), program);
      for (const query of queries) {
        const [own, shipped] = [await search(root, {}, query), await search(root, { ripgrep }, query)];
        assert.deepEqual(shipped, own, JSON.stringify(query));
        assert.ok(own.length > 0, JSON.stringify(query));
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

async function search(
  root: string,
  parts: Partial<CoreToolDeps>,
  query: Record<string, unknown>,
): Promise<readonly string[]> {
  const fs = createNodeFileSystem();
  const tool = createGrepTool({
    fs,
    files: createDiskFiles(fs),
    clock: systemClock,
    layout: () => ({ roots: [root], platform: process.platform }),
    maxResultChars: 16_000,
    ...parts,
  });
  const { content } = await (await tool.prepare(testCall(), query)).run(testRun());
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return text
    .split('\n')
    .filter((line) => /:\d+: /u.test(line))
    .sort();
}
