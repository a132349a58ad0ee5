import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

/** What the program wrote before plugins had one engine: its state, home and workspace after one turn. */
const fixture = join(projectRoot, 'test', 'package', 'fixture', 'earlierFiles');
const sessionId = '17f1ea24-0b87-4fcd-8dc1-fe80c63e3123';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
  for (const name of ['home', 'state', 'workspace'] as const) {
    await cp(join(fixture, name), cli[name], { recursive: true });
    if (name !== 'workspace') await putWorkspace(cli[name], cli.workspace);
  }
});
afterEach(() => cli.close());

/** Files name the workspace by its path. */
async function putWorkspace(folder: string, workspace: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('<workspace>', JSON.stringify(workspace).slice(1, -1)));
  }
}

describe('files of an earlier version', () => {
  it('the config counts, and has no problem', async () => {
    const { stdout, stderr } = await cli.run(['tools', 'explain', 'web_fetch']);
    expect(stdout).toContain('denied by "web_fetch" in tools (user config)');
    expect(stderr).toBe('');
  });

  it('the consent to a plugin holds for the same files', async () => {
    const { stdout } = await cli.run(['plugins', 'list']);
    expect(stdout).toMatch(/keel.*loaded/u);
  });

  it('what was always allowed is, for the same file of the same workspace alone', async () => {
    const write = (path: string) =>
      cli.run(['agent', '--approve', 'ask', '--model', 'built-in', '-m', `write ${path}: day three`]);
    expect((await write('log.md')).stdout).toContain('Created log.md.');
    expect(await readFile(join(cli.workspace, 'log.md'), 'utf8')).toBe('day threechecked\n');
    await write('other.md');
    await expect(readFile(join(cli.workspace, 'other.md'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('the trace of a run says who changed the call, who was asked and who allowed it', async () => {
    const { stdout } = await cli.run(['hooks', 'trace']);
    expect(stdout).toContain('keel · before_tool_call changed params.content: day two → day twochecked');
    expect(stdout).toContain('approval for host: allow-always, answered by terminal');
  });

  it('the session is there, and goes on', async () => {
    expect((await cli.run(['sessions', 'list'])).stdout).toContain('write log.md: day two');
    const next = ['agent', '--model', 'built-in', '--session', sessionId, '-m', 'read log.md'];
    await cli.run(next);
    const shown = await cli.run(['sessions', 'show', sessionId]);
    expect(shown.stdout).toContain('write log.md: day two');
    expect(shown.stdout).toContain('read log.md');
  });
});
