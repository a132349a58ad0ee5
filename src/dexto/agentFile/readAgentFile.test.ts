import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtIns } from '../../../test/builders/agentFiles.ts';
import { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
import { readAgentFile, type AgentFileInput } from './readAgentFile.ts';

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pincer-agent-')));
  workspace = join(root, 'workspace');
  await mkdir(join(workspace, '.pincer'), { recursive: true });
});

afterEach(() => rm(root, { recursive: true, force: true }));

const path = (): string => join(workspace, '.pincer', 'agent.yml');
const read = (more: Partial<AgentFileInput> = {}) =>
  readAgentFile(createNodeFileSystem(), {
    path: path(),
    origin: 'workspace',
    roots: [workspace],
    env: {},
    builtIns,
    ...more,
  });
const folders = 'systemPrompt: "${{dexto.agent_dir}} ${{dexto.project_dir}}"\n';

it('reads a file, its folders with links resolved', async () => {
  await writeFile(path(), folders);
  const link = join(root, 'link');
  await symlink(workspace, link);
  const { file, diagnostics } = await read({ path: join(link, '.pincer', 'agent.yml'), roots: [link] });
  expect(diagnostics).toEqual([]);
  expect(file).toMatchObject({ path: join(link, '.pincer', 'agent.yml'), dir: join(workspace, '.pincer') });
  expect(file?.systemPrompt).toMatchObject([{ content: `${join(workspace, '.pincer')} ${workspace}` }]);
});

it('takes paths in a workspace that is opened by a link, by both of its names', async () => {
  const link = join(root, 'link');
  await symlink(workspace, link);
  await writeFile(
    path(),
    `storage: { database: { type: sqlite, path: ${join(link, 'a.db')} }, blob: { type: local, storePath: ${join(workspace, 'b')} } }`,
  );
  expect((await read({ path: join(link, '.pincer', 'agent.yml'), roots: [link] })).diagnostics).toEqual([]);
});

it('refuses a workspace’s file that is a link to somewhere else, without reading it', async () => {
  const secret = join(root, 'secret');
  await writeFile(secret, 'password: x\n');
  await symlink(secret, path());
  const { file, diagnostics } = await read();
  expect(file).toBeUndefined();
  expect(diagnostics).toMatchObject([{ level: 'error', code: 'agent_file_outside', source: path() }]);
  expect((await read({ origin: 'user' })).diagnostics.map(({ code }) => code)).toEqual([
    'agent_file_key_unknown',
  ]);
});

it('says what is wrong with a file that is missing, a folder, or too large', async () => {
  const codes = async (): Promise<readonly string[]> => (await read()).diagnostics.map(({ code }) => code);
  expect(await codes()).toEqual(['agent_file_missing']);
  await writeFile(path(), `# ${'x'.repeat(1_000_000)}`);
  expect(await codes()).toEqual(['agent_file_unreadable']);
  await rm(path());
  await mkdir(path());
  expect(await codes()).toEqual(['agent_file_unreadable']);
});

it('reads a user’s file with no workspace at all, or with one whose folder is gone', async () => {
  await writeFile(path(), 'systemPrompt: "${{dexto.agent_dir}}"');
  expect((await read({ origin: 'user', roots: [] })).file?.origin).toBe('user');
  expect((await read({ origin: 'user', roots: [join(root, 'gone')] })).diagnostics).toEqual([]);
  await writeFile(path(), folders);
  expect((await read({ origin: 'user', roots: [] })).diagnostics.map(({ code }) => code)).toEqual([
    'agent_file_variable_unknown',
  ]);
});
