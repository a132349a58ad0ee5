import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { buildDextoTypes } from '../../../scripts/buildDextoTypes.ts';
import { parseAgentFile } from '../../../src/dexto/agentFile/parseAgentFile.ts';
import { sectionKeys } from '../../../src/dexto/agentFile/knownKeys.ts';
import { commonOptions } from '../../../src/dexto/builtins/builtIn.ts';
import { builtIns } from '../../../src/dexto/builtins/builtIns.ts';
import { contentPolicyOptions } from '../../../src/dexto/builtins/contentPolicyOptions.ts';
import { notificationsOptions } from '../../../src/dexto/builtins/notificationsOptions.ts';
import { responseSanitizerOptions } from '../../../src/dexto/builtins/responseSanitizerOptions.ts';
import { httpStatusOf } from '../../../src/dexto/httpStatus.ts';
import { agentEventNames } from '../../../src/dexto/events/createAgentEventBus.ts';
import { dextoCoreExports } from '../../../src/dexto/load/createDextoModules.ts';
import { dextoCoreVersion } from '../../../src/dexto/load/dextoCoreVersion.ts';
import { openTestRuntime } from '../../builders/openTestRuntime.ts';
import { renderPointTable } from './points/renderPointTable.ts';

// docs/dexto.md says what is so: its examples run, its tables are complete.

const project = resolve(import.meta.dirname, '../../..');
const path = join(project, 'docs', 'dexto.md');
const text = await readFile(path, 'utf8');
const blocks = (language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(?<code>[^]*?)^\`\`\`$`, 'gmu'))].map(
    ({ groups }) => groups?.['code'] ?? '',
  );
const examples = ['plugins/tenant-limits/index.ts', 'plugins/audit-logger/index.ts'];
const section = (heading: string): string => {
  const from = text.indexOf(`\n## ${heading}\n`);
  if (from === -1) throw new Error(`docs/dexto.md has no ${heading}.`);
  const end = text.indexOf('\n## ', from + 4);
  return text.slice(from, end === -1 ? undefined : end);
};

describe('docs/dexto.md', () => {
  it.each(blocks('yaml').map((yaml) => [yaml.trim().split('\n').slice(0, 3).join(' / '), yaml]))(
    'has an agent file without a problem: %s',
    (_, yaml) => {
      const { file, diagnostics } = parseAgentFile({
        ...{ text: yaml, path: '/w/.pincer/agent.yml', dir: '/w/.pincer', origin: 'workspace' as const },
        ...{ roots: ['/w'], projectDir: '/w', builtIns },
        env: {
          TENANT_API_KEY: 'a key of a tenant',
          DATABASE_URL: 'postgres://me:secret@localhost/plans',
          REDIS_URL: 'redis://localhost',
        },
      });
      expect(diagnostics.filter(({ level }) => level !== 'info')).toEqual([]);
      expect(file).toBeDefined();
    },
  );

  it('has a first plugin that does what is said about it', async () => {
    await using test = await openTestRuntime({
      files: {
        '.pincer/agent.yml': blocks('yaml')[0] ?? '',
        '.pincer/plugins/office-hours/index.ts': blocks('ts')[0] ?? '',
      },
    });
    const { events } = await test.say('list', [
      { toolCalls: [{ name: 'exec', arguments: { command: 'ls' } }] },
      { text: 'done', expect: { toolResult: 'Not on this branch.' } },
    ]);
    expect(events.at(-1)).toMatchObject({ outcome: { status: 'completed' } });
  });

  it('has plugins that compile strictly against the types that come with the program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pincer-document-'));
    const write = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    try {
      const files = [
        await write('dexto-core.d.ts', buildDextoTypes(project)),
        ...(await Promise.all(blocks('ts').map((code, at) => write(`plugin${at}.ts`, code)))),
        ...examples.map((name) => join(project, 'examples', 'dexto', name)),
      ];
      const program = ts.createProgram(files, {
        ...{ strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2023 },
        ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
        ...{ types: ['node'], typeRoots: [join(project, 'node_modules', '@types')] },
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
      expect(problems).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names every key of an agent file', () => {
    const said = section('The agent file');
    for (const key of sectionKeys) expect(said).toContain(`\`${key}\``);
  });

  it('names every option of every built-in plugin, where it stands and its place in the order', () => {
    const said = section('Built-in plugins');
    const schemas = { contentPolicyOptions, responseSanitizerOptions, notificationsOptions };
    for (const schema of Object.values(schemas)) {
      for (const option of Object.keys(schema.shape)) expect(said).toContain(`\`${option}\``);
    }
    for (const option of Object.keys(commonOptions)) expect(said).toContain(`\`${option}\``);
    for (const [name, { defaults }] of Object.entries(builtIns)) {
      const row = said.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      const [, , , blocking, priority] = row.split('|').map((cell) => cell.trim());
      expect([name, blocking, priority]).toEqual([
        name,
        defaults.blocking ? 'yes' : 'no',
        String(defaults.priority),
      ]);
    }
  });

  it('names every code of errors, and the status of notices', () => {
    const said = section('Errors');
    const codes = Object.values(dextoCoreExports['PluginErrorCode'] as Record<string, string>);
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) expect(said).toContain(`\`${code}\``);
    const statuses = [...said.matchAll(/^\| `([A-Z_]+)` +\| (\d+) /gmu)].map(([, code = '', status]) => [
      httpStatusOf([{ code }]),
      Number(status),
    ]);
    expect(statuses).toEqual([
      [429, 429],
      [403, 403],
      [401, 401],
    ]);
  });

  it('says the version of the API, and the events there are', () => {
    const said = section('Writing a plugin');
    expect(said).toContain(`which is ${dextoCoreVersion} here`);
    for (const name of new Set(agentEventNames.values())) expect(said).toContain(`\`${name}\``);
  });

  it('links to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/gu)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(dirname(path), link)))).toEqual([]);
  });

  // `vitest -u` writes it.
  it('ends with the points as the samples have them', async () => {
    const heading = '## The 72 points\n';
    const rest = text.slice(0, text.indexOf(heading) + heading.length);
    const whole = `${rest}\n${await renderPointTable()}\n`;
    const options = (await resolveConfig(path)) ?? {};
    const formatted = await format(whole, { ...options, parser: 'markdown' });
    await expect(formatted).toMatchFileSnapshot(path);
  });
});

describe('examples/dexto', () => {
  it('limits tenants and notes what they use', async () => {
    const folder = join(project, 'examples', 'dexto');
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const agent = (await read('agent.yml')).replace('messagesPerDay: 200', 'messagesPerDay: 1');
    const files = await Promise.all(examples.map(async (name) => [`.pincer/${name}`, await read(name)]));
    await using test = await openTestRuntime({
      files: { '.pincer/agent.yml': agent, ...(Object.fromEntries(files) as Record<string, string>) },
    });
    const { runtime, say, log } = test;
    const ask = (name: string) =>
      runtime.conversations.withTenant({ tenantId: 'acme' }, () =>
        say('go', [{ toolCalls: [{ name, arguments: {} }] }, { text: 'Done.' }], {
          session: runtime.conversations.create(),
        }),
      );
    expect((await ask('ls')).outcome).toMatchObject({ status: 'completed' });
    expect(log.lines.some(({ message }) => message.includes('[dexto:audit-logger] tool used'))).toBe(true);
    expect((await ask('ls')).outcome).toMatchObject({
      status: 'blocked',
      pluginId: 'tenant-limits',
      text: 'All 1 messages of today are used up.',
      httpStatus: 429,
    });
    const other = await runtime.conversations.withTenant({ tenantId: 'other' }, () =>
      say('go', [{ toolCalls: [{ name: 'grep', arguments: { pattern: 'a' } }] }, { text: 'Done.' }], {
        session: runtime.conversations.create(),
      }),
    );
    expect(JSON.stringify(other.events)).toContain('The tool grep is not part of this plan.');
  });
});
