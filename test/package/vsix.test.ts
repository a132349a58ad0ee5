import { listFiles, PackageManager } from '@vscode/vsce';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packExtension } from '../../scripts/package.ts';
import { projectRoot } from '../../scripts/projectRoot.ts';
import { pluginsList, pluginSwitched } from './cliShapes.ts';
import { openCliWorld } from './openCliWorld.ts';
import { pluginFiles } from './pluginFiles.ts';
import { readZip } from '../builders/readZip.ts';

const pages = await namesIn('docs', '.md');

/** Everything that may ship, below `extension/`. A new file belongs here and into .vscodeignore. */
const shipped = [
  'LICENSE.txt',
  'changelog.md',
  'dist/ThirdPartyNotices.txt',
  'dist/agent.d.ts',
  'dist/agent.js',
  'dist/cli.js',
  'dist/cronTimes.js',
  'dist/extension.js',
  'dist/jiti/LICENSE',
  'dist/jiti/dist/babel.cjs',
  'dist/jiti/dist/jiti.cjs',
  'dist/jiti/lib/jiti.cjs',
  'dist/jiti/package.json',
  'dist/memoryWorker.js',
  'dist/models.js',
  'dist/plugins/memory-core/index.js',
  'dist/plugins/memory-core/openclaw.plugin.json',
  'dist/plugins/audit-log/index.js',
  'dist/plugins/audit-log/openclaw.plugin.json',
  'dist/plugins/secret-redactor/index.js',
  'dist/plugins/secret-redactor/openclaw.plugin.json',
  'dist/plugins/session-notes/index.js',
  'dist/plugins/session-notes/openclaw.plugin.json',
  'dist/plugins/telegram/index.js',
  'dist/plugins/telegram/openclaw.plugin.json',
  'dist/plugins/webhook/index.js',
  'dist/plugins/webhook/openclaw.plugin.json',
  'dist/plugin-sdk/dexto-core.d.ts',
  'dist/plugin-sdk/libs/commander.js',
  'dist/plugin-sdk/libs/package.json',
  'dist/plugin-sdk/libs/sinclair-typebox.js',
  'dist/plugin-sdk/libs/typebox.js',
  'dist/plugin-sdk/openclaw.d.ts',
  'dist/plugin-sdk/openclaw.mjs',
  'dist/plugin-sdk/package.json',
  'dist/plugin-sdk/zod.mjs',
  'dist/plugins/workspace-guard/index.js',
  'dist/plugins/workspace-guard/openclaw.plugin.json',
  'dist/htmlToMarkdown.js',
  'dist/mcp.js',
  'dist/mcpServer.js',
  'dist/gateway.js',
  'dist/onDemand.js',
  'dist/runtime.js',
  'dist/shared.js',
  'dist/sql-wasm.wasm',
  'dist/storage.js',
  'dist/schemas/agent.schema.json',
  'dist/schemas/config.schema.json',
  'dist/schemas/plugin.schema.json',
  'dist/webview/chat.js',
  'dist/webview/colourCode.js',
  'dist/webview/configForm.js',
  'dist/webview/lastRun.js',
  'dist/webview/remoteChat.js',
  'media/icon.png',
  'media/pincer.svg',
  'package.json',
  'package.nls.json',
  'readme.md',
  ...pages,
  ...(await namesIn('docs/images', '.webp')),
];

/** The pages and pictures that the documentation and the walkthrough lead to. */
async function namesIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(join(projectRoot, folder));
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

/** Where pictures and links of a page lead, without those in code blocks. */
function targetsOf(page: string): readonly string[] {
  const text = page.replace(/^(`{3,})[^]*?^\1$/gmu, '');
  return [...text.matchAll(/\]\(([^)\s]+)/gu)].map(([, target = '']) => target);
}

/** The anchor that VS Code gives a heading. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/gu, '')
    .replaceAll(' ', '-');
}

let folder: string;
let vsix: string;
let files: ReadonlyMap<string, Buffer>;
const textOf = (name: string): string => files.get(`extension/${name}`)?.toString('utf8') ?? '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pincer-vsix-'));
  vsix = (await packExtension({ file: join(folder, 'pincer.vsix') })).file;
  files = readZip(await readFile(vsix));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the .vsix', () => {
  it('holds exactly what is meant to ship', () => {
    const expected = [
      ...shipped.map((name) => `extension/${name}`),
      '[Content_Types].xml',
      'extension.vsixmanifest',
    ];
    expect([...files.keys()].sort()).toEqual(expected.sort());
  });

  it('holds every bundled plugin', async () => {
    for (const id of await readdir(join(projectRoot, 'plugins'))) {
      expect([...files.keys()]).toContain(`extension/dist/plugins/${id}/index.js`);
      expect([...files.keys()]).toContain(`extension/dist/plugins/${id}/openclaw.plugin.json`);
    }
  });

  it('is smaller than 5 MB, and what every window loads smaller than 200 kB', async () => {
    expect((await stat(vsix)).size).toBeLessThan(5_000_000);
    const atStart = ['extension', 'shared'].map(
      (name) => files.get(`extension/dist/${name}.js`)?.length ?? Number.NaN,
    );
    expect(atStart.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
  });

  it.each(['extension', 'onDemand', 'shared'])('asks for the API of VS Code once in dist/%s.js', (bundle) => {
    // Each further time costs a window that starts: up to a tenth of a second for all of our files.
    expect(textOf(`dist/${bundle}.js`).match(/require\("vscode"\)/gu)).toHaveLength(1);
  });

  it('holds every file that package.json names', () => {
    const manifest = JSON.parse(textOf('package.json')) as object;
    const paths = JSON.stringify(manifest).match(/(?<=")(?:\.\/)?(?:dist|docs|media)\/[^"]+/gu) ?? [];
    expect(paths.map((path) => posix.normalize(path))).toContain('dist/extension.js');
    for (const path of paths) expect([...files.keys()]).toContain(`extension/${posix.normalize(path)}`);
    expect(manifest).toMatchObject({ main: './dist/extension.js', publisher: 'pincer-dev', name: 'pincer' });
  });

  it('brings the texts that a user reads first', () => {
    expect(textOf('readme.md')).toMatch(/^# Pincer\n/u);
    expect(textOf('changelog.md')).toMatch(/^# Changelog\n/u);
    expect(textOf('LICENSE.txt')).toMatch(/MIT License/u);
  });

  it.each(pages)('holds what %s shows and links to', (page) => {
    const targets = targetsOf(textOf(page))
      .filter((target) => !/^(?:https?:|#)/u.test(target))
      .map((target) => posix.join(posix.dirname(page), target.replace(/#.*/u, '')));
    // What is only in the source tree is named there, and lies in no package.
    const ofSource = /^(?:src|test|plugins|examples)(?:\/|$)/u;
    const missing = targets.filter((target) => !files.has(`extension/${target}`) && !ofSource.test(target));
    expect(missing).toEqual([]);
  });

  it.each(['readme.md', 'changelog.md'])(
    'has in %s no picture and no link that VS Code would not show',
    (page) => {
      const headings = [...textOf(page).matchAll(/^#+ (.+)$/gmu)].map(([, text = '']) => `#${slugOf(text)}`);
      expect(targetsOf(textOf(page)).filter((target) => !headings.includes(target))).toEqual([]);
    },
  );

  it('draws each step of the README in text that fits the page, where no picture can show', async () => {
    const source = await readFile(join(projectRoot, 'README.md'), 'utf8');
    const pictures = [...source.matchAll(/\]\((docs\/images\/[\w-]+)\.webp\)/gu)].map(
      ([, path = '']) => path,
    );
    expect(pictures).toHaveLength(4);
    for (const picture of pictures) {
      const lines = (await readFile(join(projectRoot, `${picture}.txt`), 'utf8')).trimEnd().split('\n');
      const drawing = lines.map((line) => (line === '' ? '' : `   ${line}`)).join('\n');
      expect(textOf('readme.md')).toContain(`   \`\`\`diff\n${drawing}\n   \`\`\`\n`);
      // What is longer is cut where the page stands beside a side bar and the chat.
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(46);
    }
  });

  it('leads pictures and links of the README to a public address where one is named', async () => {
    const baseUrl = 'https://example.org/pincer';
    const published = await packExtension({ file: join(folder, 'public.vsix'), baseUrl });
    const targets = targetsOf(
      readZip(await readFile(published.file))
        .get('extension/readme.md')
        ?.toString() ?? '',
    );
    const inPackage = targets.map((target) => target.replace(`${baseUrl}/`, '').replace(/#.*/u, ''));
    expect(inPackage.filter((target) => !files.has(`extension/${target}`))).toEqual([]);
    expect(inPackage.filter((target) => target.endsWith('.webp'))).toHaveLength(4);
  });

  it('knows nothing of the machine that it was built on', () => {
    for (const [name, content] of files) expect(content.includes(projectRoot), name).toBe(false);
    for (const bundle of ['cli', 'extension', 'models', 'onDemand', 'runtime', 'shared', 'storage']) {
      expect(textOf(`dist/${bundle}.js`)).not.toMatch(/\/(?:home|Users)\/\w+\/|[A-Z]:\\\\Users/u);
    }
  });
});

describe('.vscodeignore', () => {
  it('keeps out whatever else lies around', async () => {
    const tree = join(folder, 'tree');
    const sources = shipped.map((name) => sourceNames[name] ?? name);
    const strays = [
      ...[
        '.env',
        '.env.local',
        '.npmrc',
        'notes.md',
        'src/a.ts',
        'src/a.test.ts',
        'test/package/vsix.test.ts',
      ],
      ...['dist/.env', 'dist/a.test.ts', 'dist/extension.js.map', 'dist/old.vsix', 'dist/cli.test.js'],
      ...['dist/jiti/.env', 'dist/jiti/lib/jiti.test.ts', 'dist/jiti/node_modules/x/index.js'],
      ...['.env', 'index.ts', 'index.test.ts', 'index.js.map', 'node_modules/x/index.js'].map(
        (name) => `dist/plugins/workspace-guard/${name}`,
      ),
      ...[
        'plugins/workspace-guard/index.ts',
        'node_modules/x/index.js',
        'test-results/a.json',
        'media/.DS_Store',
      ],
      ...[
        'examples/workspace/README.md',
        'docs/a.txt',
        'docs/images/a.png',
        'docs/inner/a.md',
        '.git/config',
        '.vscode/tasks.json',
        '.vscode-test/a',
      ],
    ];
    for (const name of [...sources, ...strays]) {
      await mkdir(dirname(join(tree, name)), { recursive: true });
      await writeFile(join(tree, name), '{}');
    }
    for (const name of ['.vscodeignore', 'package.json', 'package.nls.json'])
      await copyFile(join(projectRoot, name), join(tree, name));
    const packed = await listFiles({ cwd: tree, packageManager: PackageManager.None });
    expect(packed.sort()).toEqual(sources.toSorted());
  });
});

/** Where vsce gives a file another name in the archive. */
const sourceNames: Readonly<Record<string, string>> = {
  'LICENSE.txt': 'LICENSE',
  'changelog.md': 'CHANGELOG.md',
  'readme.md': 'README.md',
};

describe('the extension, unpacked far from the project', () => {
  it('has all that a TypeScript plugin and a turn need', async () => {
    const unpacked = join(folder, 'unpacked');
    for (const [name, content] of files) {
      await mkdir(dirname(join(unpacked, name)), { recursive: true });
      await writeFile(join(unpacked, name), content);
    }
    const cli = await openCliWorld(join(unpacked, 'extension', 'dist', 'cli.js'));
    try {
      const typed =
        "const name: string = 'typed'; api.registerCommand({ name, description: '', handler: () => ({ text: name }) });";
      await cli.write(pluginFiles('typed', typed));
      const { plugins } = pluginsList.parse((await cli.json(['plugins', 'list'])).value);
      expect(plugins.map(({ id, status }) => `${id} ${status}`)).toEqual([
        'audit-log loaded',
        'memory-core loaded',
        'secret-redactor loaded',
        'session-notes disabled',
        'telegram disabled',
        'webhook disabled',
        'workspace-guard loaded',
        'typed disabled',
      ]);
      const { plugin } = pluginSwitched.parse((await cli.json(['plugins', 'enable', 'typed'])).value);
      expect(plugin.status).toBe('loaded');
      expect(await cli.run(['agent', '-m', '/typed'])).toEqual({ code: 0, stdout: 'typed\n', stderr: '' });
      const write = await cli.run(['agent', '-m', 'write a.md: b', '--approve', 'allow']);
      expect(write).toMatchObject({ code: 0, stdout: expect.stringContaining('Created a.md') as unknown });
    } finally {
      await cli.close();
    }
  });
});
