import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentTurn } from './cliShapes.ts';
import { openCliWorld, type CliWorld } from './openCliWorld.ts';

let cli: CliWorld;
beforeEach(async () => {
  cli = await openCliWorld();
});
afterEach(() => cli.close());

const fileText = 'first note\nsecond \\ “note”\n';

/** A model that writes a file and says what came back; `path` is below the workspace. */
async function write(
  path: string,
  ...options: readonly string[]
): Promise<{ reason: string; text: string | undefined }> {
  const model = await cli.replay(
    { toolCalls: [{ name: 'write', arguments: { path, content: fileText } }] },
    { text: 'Done.' },
  );
  const { code, value, stderr } = await cli.json(['agent', '-m', 'write it', '--model', model, ...options]);
  expect(code, stderr).toBe(0);
  const [call] = agentTurn.parse(value).calls;
  expect(call?.name).toBe('write');
  const file = join(cli.workspace, path);
  return {
    reason: call?.isError === true ? JSON.stringify(call.details) : 'none',
    text: existsSync(file) ? await readFile(file, 'utf8') : undefined,
  };
}

describe('pincer agent --approve', () => {
  it('denies by default where nobody sits at a terminal', async () => {
    const { reason, text } = await write('notes.md');
    expect(text).toBeUndefined();
    expect(reason).toContain('nobody can answer here');
  });

  it('says on standard error what was denied and why', async () => {
    const run = await cli.run(['agent', '-m', 'write notes.md: hi', '--approve', 'ask']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('› Write notes.md\n  Denied: it needs approval and nobody can answer here.');
  });

  it('deny: denies', async () => {
    const { reason, text } = await write('notes.md', '--approve', 'deny');
    expect(text).toBeUndefined();
    expect(reason).toContain('approvals are set to deny');
  });

  it('allowlist: denies unasked what nothing covers', async () => {
    const { reason, text } = await write('notes.md', '--approve', 'allowlist');
    expect(text).toBeUndefined();
    expect(reason).toContain('approvals are set to allowlist');
  });

  it.each(['auto', 'full'])('%s: lets an ordinary edit pass', async (mode) => {
    expect(await write('notes/a.md', '--approve', mode)).toEqual({ reason: 'none', text: fileText });
  });

  it('full: is tightened by the workspace', async () => {
    await mkdir(join(cli.workspace, '.pincer'), { recursive: true });
    await writeFile(join(cli.workspace, '.pincer', 'config.jsonc'), '{ "approvals": { "mode": "deny" } }');
    const { reason, text } = await write('notes.md', '--approve', 'full');
    expect(text).toBeUndefined();
    expect(reason).toContain('approvals are set to deny');
  });

  it('allow: writes exactly what was asked for', async () => {
    expect(await write('notes/a.md', '--approve', 'allow')).toEqual({ reason: 'none', text: fileText });
  });

  it('allow: never answers for a plugin that asks', async () => {
    const { reason, text } = await write('.vscode/tasks.json', '--approve', 'allow');
    expect(text).toBeUndefined();
    expect(reason).toContain('nobody can answer here');
  });

  it('refuses another word', async () => {
    const { code, stderr } = await cli.run(['agent', '-m', 'x', '--approve', 'always']);
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are deny, allowlist, ask, auto, full, allow.');
  });
});
