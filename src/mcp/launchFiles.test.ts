import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFileSystem } from '../host/node/nodeFileSystem.ts';
import {
  findFolderCode,
  findHiddenLauncher,
  findStartFiles,
  mayLoadCode,
  namesFolder,
} from './launchFiles.ts';

/** The files that a line runs, relative to the folder it starts in. */
async function filesOf(
  files: Readonly<Record<string, string>>,
  [command = '', ...args]: readonly string[],
  texts: Readonly<Record<string, string>> = {},
) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pincer-launch-')));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const machine = { fs: createNodeFileSystem(), platform: 'linux' } as const;
    const line = { command, args: args.map((arg) => arg.replace('<folder>', folder)), texts };
    const found = await findStartFiles(machine, line, folder);
    return { ...found, files: found.files.map((path) => path.slice(folder.length + 1)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('finds what Node runs by a name without its ending, a folder and its package.json', async () => {
  expect(await filesOf({ 'dist/server.js': '' }, ['node', 'dist/server'])).toEqual({
    files: ['dist/server.js'],
  });
  expect(await filesOf({ 'dist/index.js': '' }, ['node', 'dist'])).toEqual({ files: ['dist/index.js'] });
  const named = { 'package.json': '{ "main": "lib/main" }', 'lib/main.js': '' };
  expect(await filesOf(named, ['node', '.'])).toEqual({ files: ['lib/main.js'] });
});

it('looks a script up in the folder that the line names', async () => {
  const files = { 'p/weather.py': '' };
  expect(await filesOf(files, ['uv', '--directory', '<folder>/p', 'run', 'weather.py'])).toEqual({
    files: ['p/weather.py'],
  });
  expect(await filesOf(files, ['uv', '--directory=p', 'run', 'weather.py'])).toEqual({
    files: ['p/weather.py'],
  });
});

it('counts what options and variables load', async () => {
  const files = { 'hook.cjs': '', 'reg.mjs': '', 'src/server.js': '' };
  expect(
    await filesOf(files, ['node', '--import', './reg.mjs', 'src/server'], {
      NODE_OPTIONS: '--require ./hook.cjs',
    }),
  ).toEqual({
    files: ['hook.cjs', 'reg.mjs', 'src/server.js'],
  });
});

it('takes no code of the line for a script', async () => {
  expect(await filesOf({}, ['sh', '-c', 'cd x && node server.js'])).toEqual({ files: [] });
  expect(await filesOf({}, ['node', '-e', 'require("./a.js")'])).toEqual({ files: [] });
});

it('compares the files that the line of a shell names, and what stands behind a script of its own options', async () => {
  expect(
    await filesOf({ 'start.sh': '', 'bin/run': '' }, ['bash', '-lc', './start.sh && bin/run --fast']),
  ).toEqual({
    files: ['bin/run', 'start.sh'],
  });
  expect(await filesOf({ 'bin/cli': '', 'plugin.js': '' }, ['node', 'bin/cli', '-p', './plugin.js'])).toEqual(
    {
      files: ['bin/cli', 'plugin.js'],
    },
  );
});

it('prefers what package.json names to index.js, and __main__.py only for Python', async () => {
  const both = {
    'srv/package.json': '{ "main": "dist/s.js" }',
    'srv/dist/s.js': '',
    'srv/index.js': '',
    'srv/__main__.py': '',
  };
  expect(await filesOf(both, ['node', './srv'])).toEqual({ files: ['srv/dist/s.js'] });
  expect(await filesOf(both, ['python3', './srv'])).toEqual({ files: ['srv/__main__.py'] });
});

it('names a script that is nowhere', async () => {
  expect(await filesOf({}, ['node', 'server.js'])).toEqual({ files: [], missing: 'server.js' });
});

it('says where what runs is taken from the folder that it starts in', () => {
  const says = (line: string): string | undefined => {
    const [command = '', ...args] = line.split(' ');
    return findFolderCode({ command, args });
  };
  for (const line of [
    ...[
      'python3 -m mcp_server_fetch',
      'python -umtides',
      'npm start',
      'npm --loglevel silent run x',
      'yarn mcp',
    ],
    ...['bun run dev', 'uv run weather.py', 'uv --python 3.12 run x', 'make serve', 'go run .'],
  ])
    expect(says(line), line).toMatch(/whoever writes there decides what runs\.$/u);
  for (const line of [
    'node server.js',
    'python3 server.py',
    'deno lint',
    'npx -y pkg',
    '/usr/bin/tides --fast',
  ])
    expect(says(line), line).toBeUndefined();
});

it('sees a launcher behind env and a shell', () => {
  expect(findHiddenLauncher({ command: 'env', args: ['A=1', 'npx', '-y', 'pkg'] })).toBe('npx');
  expect(findHiddenLauncher({ command: '/bin/sh', args: ['-lc', 'cd x && uvx tides'] })).toBe('uvx');
  expect(findHiddenLauncher({ command: 'sh', args: ['-c', 'node npx.js'] })).toBeUndefined();
  expect(findHiddenLauncher({ command: 'npx', args: ['-y', 'pkg'] })).toBeUndefined();
});

it('knows variables that load code', () => {
  for (const name of [
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'PYTHONPATH',
    'BASH_ENV',
    'PATH',
    'npm_config_registry',
    'YARN_PLUGINS',
  ])
    expect(mayLoadCode(name), name).toBe(true);
  for (const name of ['DENO_DEPLOY_TOKEN', 'NPM_CONFIG__AUTH', 'API_KEY', 'HOME', 'TOKEN', 'MY_PATH'])
    expect(mayLoadCode(name), name).toBe(false);
});

it('takes only an absolute folder for one that the line names wherever it starts', () => {
  expect(namesFolder(['--directory', '/p', 'run', 'x.py'])).toBe(true);
  expect(namesFolder(['--directory=C:\\\\p', 'run', 'x.py'])).toBe(true);
  expect(namesFolder(['--directory', '.', 'run', 'x'])).toBe(false);
});
