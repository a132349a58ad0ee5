import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openBenchRuntime } from '../test/bench/openBenchRuntime.ts';
import { projectRoot } from './projectRoot.ts';

const run = promisify(execFile);
const version = '2026.8.31';
const restarts = 200;

/** The protocol's own servers, and a call of each with what its answer must hold. `folder` is the workspace. */
const references: Readonly<
  Record<
    string,
    {
      readonly args?: (folder: string) => readonly string[];
      readonly tool: string;
      readonly with: (folder: string) => object;
      readonly says: string;
    }
  >
> = {
  everything: { tool: 'echo', with: () => ({ message: 'ahoy' }), says: 'ahoy' },
  filesystem: {
    args: (folder) => [folder],
    tool: 'read_text_file',
    with: (folder) => ({ path: join(folder, 'README.md') }),
    says: 'She leaks.',
  },
  memory: {
    tool: 'create_entities',
    with: () => ({ entities: [{ name: 'Boat', entityType: 'ship', observations: ['leaks'] }] }),
    says: 'leaks',
  },
  'sequential-thinking': {
    tool: 'sequentialthinking',
    with: () => ({ thought: 'Bail.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    says: 'thoughtNumber',
  },
};

/**
 * `mcp:reference`: adds the protocol's own servers by the built command line, agrees to them and calls a tool of each; then starts one
 * of them 200 times and counts what is left. Gives 1 where a call fails or a process is left.
 */
export async function main(): Promise<number> {
  const cache = join(projectRoot, '.vscode-test', 'mcp-reference', version);
  const names = Object.keys(references);
  if (names.some((name) => !existsSync(packageOf(cache, name)))) {
    await mkdir(cache, { recursive: true });
    const packages = names.map((name) => `@modelcontextprotocol/server-${name}@${version}`);
    await run('npm', [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefix',
      cache,
      ...packages,
    ]);
  }
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-mcp-reference-')));
  try {
    await mkdir(join(folder, 'workspace'));
    await writeFile(join(folder, 'workspace', 'README.md'), '# Boat\n\nShe leaks.\n');
    const failed: string[] = [];
    for (const name of names) {
      const why = await drive(cache, folder, name);
      console.log(`${why === undefined ? '✓' : '✗'} ${name}${why === undefined ? '' : `: ${why}`}`);
      if (why !== undefined) failed.push(name);
    }
    const left = await restart(cache);
    console.log(`${String(restarts)} restarts: ${String(left)} processes left`);
    return failed.length === 0 && left === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function packageOf(cache: string, name: string): string {
  return join(cache, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js');
}

/** Why it did not work; undefined where it did. */
async function drive(cache: string, folder: string, name: string): Promise<string | undefined> {
  const reference = references[name];
  if (reference === undefined) return 'it is not known';
  const workspace = join(folder, 'workspace');
  const pincer = async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, PINCER_HOME: join(folder, 'home') };
    const all = [join(projectRoot, 'dist', 'cli.js'), ...args, '--workspace', workspace];
    return (await run(process.execPath, all, { env, timeout: 60_000 })).stdout;
  };
  const command = [process.execPath, packageOf(cache, name), ...(reference.args?.(workspace) ?? [])];
  try {
    // Where one of them keeps what it is told; the others don't read it.
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const snippet = join(folder, `${name}.json`);
    await writeFile(
      snippet,
      JSON.stringify({ mcpServers: { [name]: { command: command[0], args: command.slice(1), env } } }),
    );
    await pincer('mcp', 'add', '--file', snippet, '--yes');
    const args = JSON.stringify(reference.with(workspace));
    const answer = await pincer('mcp', 'call', name, reference.tool, args, '--approve', 'allow');
    return answer.includes(reference.says) ? undefined : `it answered ${answer.slice(0, 300)}`;
  } catch (error) {
    return String(error);
  }
}

/** How many processes are left of so many starts. */
async function restart(cache: string): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-mcp-restarts-')));
  const runtime = await openBenchRuntime(folder, 'http://127.0.0.1:9/v1');
  try {
    const config = { command: process.execPath, args: [packageOf(cache, 'filesystem'), folder] };
    await runtime.mcp.add('files', config);
    const { launchHash } = await runtime.mcp.inspect('files');
    await runtime.mcp.agreeToStart('files', launchHash);
    for (let at = 0; at < restarts; at += 1) await runtime.mcp.restart('files');
  } finally {
    await runtime.stop('shutdown');
  }
  const { stdout } = await run('ps', ['-eo', 'args']);
  await rm(folder, { recursive: true, force: true });
  return stdout.split('\n').filter((line) => line.includes(folder)).length;
}
