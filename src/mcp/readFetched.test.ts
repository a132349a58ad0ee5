import { expect, it } from 'vitest';
import { findPackageWarnings } from './installedPackage.ts';
import { launchers } from './launchers.ts';
import { readFetched } from './readFetched.ts';

const read = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  const found = readFetched(command, args);
  return found && [found.name, found.version];
};

it('reads which package a launcher is asked for, and whether its version is exact', () => {
  expect(read('npx -y @scope/files@1.2.3 /home')).toEqual(['@scope/files', '1.2.3']);
  expect(read('npx -y files')).toEqual(['files', undefined]);
  expect(read('npx files@latest')).toEqual(['files', undefined]);
  expect(read('npx files@^1.2.3')).toEqual(['files', undefined]);
  expect(read('/usr/bin/npx --registry http://x.example files@1.2.3-beta.1')).toEqual([
    'files',
    '1.2.3-beta.1',
  ]);
  expect(read('npx.cmd --package=files@1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('npx -p files@1.0.0 -p other@2.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('npx github:someone/files')).toEqual(['github:someone/files', undefined]);
  expect(read('uvx --python 3.12 mcp-server-git==2026.1.2')).toEqual(['mcp-server-git', '2026.1.2']);
  expect(read('uvx --from files@1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('pipx run --spec files==1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('node server.mjs')).toBeUndefined();
  expect(read('npm exec -y -- files@1.0.0 --flag')).toEqual(['files', '1.0.0']);
  expect(read('npm --loglevel error x files')).toEqual(['files', undefined]);
  expect(read('pnpm --dir ./x dlx files@1.0.0')).toEqual(['files', '1.0.0']);
  expect(read('pnpm dlx --package files@1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('pnpx files')).toEqual(['files', undefined]);
  expect(read('yarn dlx -q @scope/files')).toEqual(['@scope/files', undefined]);
  expect(read('bunx files@1.0.0')).toEqual(['files', '1.0.0']);
  expect(read('bun x files@1.0.0')).toEqual(['files', '1.0.0']);
  expect(read('uv tool run --from files==1.0.0 serve')).toEqual(['files', '1.0.0']);
  for (const other of [
    'npm run exec files',
    'npm start',
    'pnpm exec files',
    'yarn files',
    'bun run x',
    'uv run files',
    'pipx install files',
    'npm exec',
  ])
    expect(read(other)).toBeUndefined();
});

it('takes nothing for fixed of which a part is not, or may be something else than it looks', () => {
  for (const line of [
    'npx -p files@1.0.0 -p other serve',
    'pnpm dlx -p files@1.0.0 -p other serve',
    'npx --unknown files@1.0.0 other',
    'uvx --with other files==1.0.0',
    'bunx files@1.2.3.4',
  ])
    expect(read(line), line).toEqual(['files', undefined]);
  const hidden = readFetched('npm', ['exec', '-y', 'true', 'other']);
  expect(hidden).toMatchObject({ version: undefined, unclear: expect.stringContaining('-y true') as string });
});

it('sees a launcher behind an unknown option, by a short or another name, in capitals and behind cmd', () => {
  const named = (line: string): readonly (string | undefined)[] => {
    const [command = '', ...args] = line.split(' ');
    const found = readFetched(command, args);
    return [found?.launcher, found?.unclear === undefined ? 'compared' : 'unclear', found?.version];
  };
  expect(named('npm --tag latest exec files@1.0.0')).toEqual(['npm exec', 'unclear', undefined]);
  expect(named('uv --directory /tmp tool run files')).toEqual(['uv tool run', 'unclear', undefined]);
  expect(named('npm exe files@1.0.0')).toEqual(['npm exe', 'compared', '1.0.0']);
  expect(named('npm init files')).toEqual(['npm init', 'unclear', undefined]);
  expect(named('NPX -y files')).toEqual(['npx', 'compared', undefined]);
  expect(named('cmd /c npx -y files')).toEqual(['cmd /c npx', 'unclear', undefined]);
  expect(readFetched('cmd', ['/d', '/c', 'npx -y files'])?.name).toBe('files');
  expect(readFetched('cmd', ['/c', 'dir'])).toBeUndefined();
});

it('advises an exact version as the launcher takes it, the installed one where that is known', () => {
  const warnings = (line: string, version?: string): string => {
    const [command = '', ...args] = line.split(' ');
    const installed = { name: 'files', version: version ?? '', integrity: '', content: '', folder: '/c' };
    return findPackageWarnings(
      readFetched(command, args)!,
      version === undefined ? undefined : { ...installed, isLocal: false },
    ).join('\n');
  };
  expect(warnings('npx -y files')).toMatch(/whatever the registry serves.*files@1\.2\.3\.\n.*first start/u);
  expect(warnings('npx -y files', '4.5.6')).toMatch(/Name one: files@4\.5\.6\.$/u);
  expect(warnings('npx -y files@4.5.6', '4.5.6')).toBe('');
  expect(warnings('uvx files')).toContain('files==1.2.3');
  for (const launcher of ['pnpm dlx', 'pnpx', 'yarn dlx', 'bunx', 'bun x']) {
    expect(warnings(`${launcher} files`)).toMatch(/is not fixed\. Name one: files@1\.2\.3\.\n.*first start/u);
    expect(warnings(`${launcher} files@4.5.6`, '4.5.6')).toBe('');
  }
  for (const launcher of ['uvx', 'uv tool run', 'pipx run']) {
    const open = warnings(`${launcher} files`);
    expect(open).toContain('The version of files is not pinned: each start may run another program.');
    expect(open).toContain('Name one: files==1.2.3');
    expect(open).toContain('you are asked again after 30 days');
    const pinned = warnings(`${launcher} files==1.0.0`);
    expect(pinned).toContain('The command line pins files to 1.0.0, and no more is compared');
    expect(pinned).not.toContain('may run another program');
    for (const said of [open, pinned]) expect(said).toContain(`its program in place of ${launcher}.`);
  }
});

it('says what is not compared, and why: no package of a registry, or an option that has a say', () => {
  const unclear = (line: string): string | undefined => {
    const [command = '', ...args] = line.split(' ');
    return readFetched(command, args)?.unclear;
  };
  for (const clear of [
    'npx -y files',
    'npx files@^1.2.3',
    'npx -y -p @a/b@1.0.0 --loglevel error serve',
    'npx -- files',
  ])
    expect(unclear(clear)).toBeUndefined();
  for (const spec of [
    'pkg@git+https://a.example/b',
    './files',
    '..',
    'github:a/b',
    'a.tgz',
    'a@b.tgz',
    'a@npm:b@1.0.0',
  ])
    expect(unclear(`npx -y ${spec}`)).toBe(`${spec} is no package of a registry`);
  expect(unclear('npx --prefix ./x -y files@1.0.0')).toBe('--prefix has a say in what is run');
  expect(unclear('npx --cache=./x files@1.0.0')).toBe('--cache has a say in what is run');
  expect(unclear('pnpm dlx files')).toBe(undefined);
  expect(unclear('pnpm --silent dlx -- files --prefix ./x')).toBe(undefined);
  expect(unclear('bunx -y files')).toBe(undefined);
  expect(unclear('bunx files.tgz')).toBe('files.tgz is no package of a registry');
  expect(unclear('bunx --bun files')).toBe('--bun has a say in what is run');
  expect(unclear('pnpm dlx --ignore-scripts files')).toBe('--ignore-scripts has a say in what is run');
  expect(unclear('pnpm dlx --package files')).toBe('no program of it is named');
  expect(unclear('pnpm dlx --package -g serve')).toBe('-g is no package of a registry');
  expect(unclear('bunx tsc')).toBe('bunx takes tsc for another package');
  // npm takes options behind the package for its own, until it is told that none follow.
  expect(unclear('npm exec -- files@1.0.0 --prefix ./x')).toBe(undefined);
  expect(unclear('npm exec files@1.0.0 -- --prefix ./x')).toBe(undefined);
  expect(unclear('npm exec files@1.0.0 --prefix ./x')).toBe('--prefix has a say in what is run');
  expect(unclear('npx files@1.0.0 --prefix ./x')).toBe(undefined);
  // npx takes the word behind an option that it does not know for its value.
  expect(unclear('npx --fine files@1.0.0 other')).toBe('--fine has a say in what is run');
  const warnings = findPackageWarnings(
    readFetched('npx', ['--registry', 'http://x.example', 'files@1.0.0'])!,
    undefined,
  );
  expect(warnings).toEqual([expect.stringContaining('not compared, since --registry has a say')]);
});

it('gives a program what follows it on the command line, and nothing in front', () => {
  const read = (line: string): unknown => {
    const [command = '', ...args] = line.split(' ');
    const { program, rest } = readFetched(command, args) ?? {};
    return [program, rest];
  };
  expect(read('pnpm -s dlx files@1.0.0 --bun -- a')).toEqual([undefined, ['--bun', '--', 'a']]);
  expect(read('pnpm dlx --package=files --package other serve -y a')).toEqual(['serve', ['-y', 'a']]);
  expect(read('bun x -y files')).toEqual([undefined, []]);
});

it('reads the integrity of a package from the file of each package manager', () => {
  const read = (row: 'pnpx' | 'bunx' | 'yarn', lock: string): string | undefined =>
    launchers[row]?.[0]?.installer?.integrity('@a/tides', String.raw`1\.0\.0`).exec(lock)?.[1];
  const locks = [
    "  tides-dep@1.0.0:\n    resolution: {integrity: sha512-bad==}\n  '@a/tides@1.0.0':\n    resolution: {integrity: sha512-x/y+z==, tarball: http://x.example/a}\n",
    '  /@a/tides@1.0.0(b@2.0.0):\n    resolution: {integrity: sha512-x/y+z==}\n',
  ];
  for (const lock of locks) expect(read('pnpx', lock)).toBe('sha512-x/y+z==');
  const lock = `
    "b": ["b@1.0.0", "", {}, "sha512-bad=="],
    "@a/tides": ["@a/tides@1.0.0", "", { "bin": ["x"] }, "sha512-x/y+z=="],
  `;
  expect(read('bunx', lock)).toBe('sha512-x/y+z==');
  const ofYarn = [
    '"@a/tides-b@npm:1.0.0":\n  version: 1.0.0\n  resolution: "@a/tides-b@npm:1.0.0"\n  checksum: 10c0/bad\n\n"@a/tides@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "@a/tides@npm:1.0.0"\n  dependencies:\n    b: "npm:1.0.0"\n  checksum: sha512-x/y+z==\n',
    'b@1.0.0:\n  version "1.0.0"\n  integrity sha512-bad==\n\n"@a/tides@^1.0.0":\n  version "1.0.0"\n  resolved "http://x.example/a#1"\n  integrity sha512-x/y+z==\n  dependencies:\n    b "1.0.0"\n',
  ];
  for (const each of ofYarn) expect(read('yarn', each)).toBe('sha512-x/y+z==');
});
