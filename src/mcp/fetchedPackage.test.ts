import { expect, it } from 'vitest';
import { findPackageWarnings, readFetched } from './fetchedPackage.ts';

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
  expect(read('npx -p files@1.0.0 -p other serve')).toEqual(['files', '1.0.0']);
  expect(read('npx github:someone/files')).toEqual(['github:someone/files', undefined]);
  expect(read('uvx --python 3.12 mcp-server-git==2026.1.2')).toEqual(['mcp-server-git', '2026.1.2']);
  expect(read('uvx --from files@1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('pipx run --spec files==1.0.0 serve')).toEqual(['files', '1.0.0']);
  expect(read('node server.mjs')).toBeUndefined();
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
});
