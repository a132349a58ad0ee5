import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import { editConfigFile, editConfigText } from './editConfigFile.ts';

describe('editConfigText', () => {
  it('keeps comments and layout of everything it does not change', () => {
    const text = '{\n  // the small one\n  "model": "a/b" // for now\n}\n';
    const edited = editConfigText(text, ['plugins', 'deny'], ['x']);
    expect(edited).toContain('// the small one');
    expect(edited).toContain('// for now');
    expect(edited).toContain('"deny"');
  });

  it('removes a key for undefined', () => {
    expect(editConfigText('{ "model": "x" }', ['model'], undefined)).not.toContain('model');
  });
});

describe('editConfigFile', () => {
  let folder: string;
  const fs = createNodeFileSystem();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pincer-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes the file where there is none', async () => {
    const file = join(folder, 'new', 'config.jsonc');
    await editConfigFile(fs, file, ['model'], 'built-in');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ model: 'built-in' });
  });

  it('refuses to edit a file that it can not parse, and leaves it as it is', async () => {
    const file = join(folder, 'config.jsonc');
    await writeFile(file, '{ "model": ');
    await expect(editConfigFile(fs, file, ['model'], 'x')).rejects.toMatchObject({ code: 'config_syntax' });
    expect(await readFile(file, 'utf8')).toBe('{ "model": ');
  });
});
