import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from './projectRoot.ts';

/** The newest that knows both protocols. */
const suite = '@modelcontextprotocol/conformance';
const version = '0.2.0-alpha.12';
const revisions = ['2025-11-25', '2026-07-28'];
const own = join(projectRoot, 'test', 'mcpConformance');

/**
 * Runs the protocol's own suite against Pincer's MCP client: each scenario that a revision of the protocol requires and that is no non-goal.
 * One after the other, since each has time limits of its own. `npm run mcp:conformance [revision]`
 */
export async function main([wanted]: readonly string[]): Promise<number> {
  const folder = join(projectRoot, '.vscode-test', 'mcp-conformance', version);
  const place = join(folder, 'node_modules', ...suite.split('/'));
  if (!existsSync(place)) {
    await mkdir(folder, { recursive: true });
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
    if ((await run('npm', [...install, `${suite}@${version}`])).code !== 0) return 1;
  }
  const nonGoals = await namesIn(join(own, 'nonGoals.yaml'));
  const failed: string[] = [];
  for (const revision of revisions.filter((each) => wanted === undefined || each === wanted)) {
    const required = await namesIn(join(place, 'requirements', `${revision}.yaml`));
    const goals = required.filter((name) => !nonGoals.includes(name));
    console.log(`${revision}: ${goals.length} scenarios, ${required.length - goals.length} non-goals`);
    for (const name of goals) {
      const { code, text } = await run(process.execPath, [
        join(place, 'dist', 'index.js'),
        'client',
        ...['--command', `"${process.execPath}" "${join(own, 'client.ts')}"`],
        ...['--scenario', name, '--spec-version', revision],
        ...['--output-dir', join(projectRoot, 'test-results', 'mcp-conformance', revision)],
      ]);
      console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
      if (code === 0) continue;
      failed.push(`${revision} ${name}`);
      console.log(text);
    }
  }
  console.log(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** The scenarios for clients that a file names. */
async function namesIn(file: string): Promise<readonly string[]> {
  const { client } = parse(await readFile(file, 'utf8')) as { readonly client: readonly string[] };
  return client;
}

async function run(
  file: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly text: string }> {
  const child = spawn(file, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, text };
}
