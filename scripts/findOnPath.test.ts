import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findSystemBrowser } from './editorHost/findSystemBrowser.ts';
import { findOnPath } from './findOnPath.ts';

let first: string;
let second: string;

beforeEach(async () => {
  first = await mkdtemp(join(tmpdir(), 'pincer-path-'));
  second = await mkdtemp(join(tmpdir(), 'pincer-path-'));
});

afterEach(async () => {
  await rm(first, { recursive: true });
  await rm(second, { recursive: true });
});

async function program(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, '');
  await chmod(file, 0o755);
  return file;
}

describe('findOnPath', () => {
  it('prefers an earlier name to an earlier folder', async () => {
    await program(first, 'chromium');
    const wanted = await program(second, 'google-chrome');
    expect(findOnPath(['google-chrome', 'chromium'], [first, second].join(delimiter))).toBe(wanted);
  });

  it('finds nothing where no folder has the program', () => {
    expect(findOnPath(['google-chrome'], [first, '', second].join(delimiter))).toBeUndefined();
  });
});

describe('findSystemBrowser', () => {
  it('takes CHROME_PATH before what is on PATH', async () => {
    await program(first, 'chromium');
    expect(findSystemBrowser({ PATH: first, CHROME_PATH: '/opt/chrome' })).toBe('/opt/chrome');
    expect(findSystemBrowser({ PATH: first, CHROME_PATH: '' })).toBe(join(first, 'chromium'));
  });
});
