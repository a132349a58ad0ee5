import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { serveFixture } from '../test/mcpConformance/serveFixture.ts';
import { projectRoot } from './projectRoot.ts';

/** The newest that knows both protocols. */
const suite = '@modelcontextprotocol/conformance';
const version = '0.2.0-alpha.12';
const revisions = ['2025-11-25', '2026-07-28'];
const own = join(projectRoot, 'test', 'mcpConformance');

const legs = ['client', 'server'] as const;

type Leg = (typeof legs)[number];

/**
 * Runs the protocol's own suite against Pincer's MCP client, and against `POST /mcp` of its gateway: each scenario that a revision of the
 * protocol requires. A non-goal is run, too, since it must not pass in every revision that requires it. One after the other, since each has time limits of its own.
 * `npm run mcp:conformance [revision] [client|server]`, after `npm run build`
 */
export async function main(given: readonly string[]): Promise<number> {
  const folder = join(projectRoot, '.vscode-test', 'mcp-conformance', version);
  const place = join(folder, 'node_modules', ...suite.split('/'));
  if (!existsSync(place)) {
    await mkdir(folder, { recursive: true });
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
    if ((await run('npm', [...install, `${suite}@${version}`])).code !== 0) return 1;
  }
  const isWanted = (each: string, of: readonly string[]): boolean =>
    given.includes(each) || !given.some((name) => of.includes(name));
  const nonGoals = (await readYaml(join(own, 'nonGoals.yaml'))) as NonGoals;
  const failed: string[] = [];
  const known = new Set<string>();
  // Of non-goals.
  const unmet = new Set<string>();
  for (const leg of legs.filter((each) => isWanted(each, legs))) {
    await using fixture = leg === 'server' ? await serveFixture() : undefined;
    const target =
      fixture === undefined
        ? ['--command', `"${process.execPath}" "${join(own, 'client.ts')}"`]
        : ['--url', fixture.url];
    for (const revision of revisions.filter((each) => isWanted(each, revisions))) {
      const required = ((await readYaml(join(place, 'requirements', `${revision}.yaml`))) as Names)[leg];
      const goals = required.filter((name) => !nonGoals[leg].includes(name));
      for (const name of required) known.add(`${leg} ${name}`);
      console.log(
        `${leg}, ${revision}: ${String(goals.length)} scenarios, ${String(required.length - goals.length)} non-goals`,
      );
      const runScenario = async (name: string): Promise<Ended & { readonly results: string }> => {
        const results = join(projectRoot, 'test-results', 'mcp-conformance', leg, revision, name);
        await rm(results, { recursive: true, force: true });
        const ended = await run(process.execPath, [
          ...[join(place, 'dist', 'index.js'), leg, ...target],
          ...['--scenario', name, '--spec-version', revision, '--output-dir', results],
        ]);
        return { ...ended, results };
      };
      for (const name of goals) {
        const { code, text, results } = await runScenario(name);
        const checks = leg === 'server' ? nonGoals.serverChecks[name] : undefined;
        const isRight =
          checks === undefined ? code === 0 : isDeepStrictEqual(await failedIn(results), checks);
        console.log(`${isRight ? '✓' : '✗'} ${name}`);
        if (isRight) continue;
        failed.push(`${leg} ${revision} ${name}`);
        console.log(text);
      }
      for (const name of required.filter((each) => nonGoals[leg].includes(each))) {
        const isMet = (await runScenario(name)).code === 0;
        if (!isMet) unmet.add(`${leg} ${name}`);
        console.log(`${isMet ? '✓' : '–'} ${name}, a non-goal`);
      }
    }
    if (given.length > 0) continue;
    // A reason that does not hold any more hides what works.
    for (const name of nonGoals[leg].filter(
      (each) => known.has(`${leg} ${each}`) && !unmet.has(`${leg} ${each}`),
    ))
      failed.push(`nonGoals.yaml ${leg} ${name}: it passes`);
    // A reason for nothing hides what nobody runs.
    for (const name of nonGoals[leg].filter((each) => !known.has(`${leg} ${each}`)))
      failed.push(`nonGoals.yaml ${leg} ${name}: no revision requires it`);
  }
  console.log(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** The names of scenarios. */
type Names = Readonly<Record<Leg, readonly string[]>>;

interface NonGoals extends Names {
  /** The checks that a scenario must fail: no others, and all of them. */
  readonly serverChecks: Readonly<Record<string, readonly string[]>>;
}

async function readYaml(file: string): Promise<unknown> {
  return parse(await readFile(file, 'utf8')) as unknown;
}

/** The checks of a scenario that failed. */
async function failedIn(folder: string): Promise<readonly string[]> {
  const [run = ''] = await readdir(folder);
  const checks = JSON.parse(await readFile(join(folder, run, 'checks.json'), 'utf8')) as readonly {
    readonly id: string;
    readonly status: string;
  }[];
  return checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : []));
}

interface Ended {
  readonly code: number;
  readonly text: string;
}

async function run(file: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(file, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, text };
}
