import { describe, expect, it } from 'vitest';
import { parseManifest } from '../manifest/parseManifest.ts';
import { scanPackage, type PackageScan } from './scanPackage.ts';

function scan(files: Readonly<Record<string, string>>): PackageScan {
  const parsed = parseManifest(new TextEncoder().encode('{"id":"p","configSchema":{}}'));
  if (!parsed.ok) throw new Error(parsed.message);
  const list = Object.entries(files).map(([path, text]) => ({
    path,
    kind: 'file' as const,
    content: new TextEncoder().encode(text),
  }));
  return scanPackage(list, parsed.manifest);
}

const rulesOf = ({ findings }: PackageScan): readonly string[] => findings.map(({ ruleId }) => ruleId);

describe('scanPackage', () => {
  it('finds nothing in a plain plugin', () => {
    expect(scan({ 'index.ts': "export default (api) => api.on('agent_end', () => {});" })).toMatchObject({
      asks: { hooks: ['agent_end'], conversation: true, reaches: [] },
      fileCount: 1,
      size: 54,
      findings: [],
    });
  });

  it('names native parts, install scripts and packages that are missing', () => {
    const found = scan({
      'package.json': JSON.stringify({
        scripts: { postinstall: 'node setup.js', prepare: 'tsc', test: 'x' },
        dependencies: { left: '1', right: '1', '@a/b': '1', openclaw: '1', '@sinclair/typebox': '1' },
      }),
      'binding.gyp': '',
      'prebuilds/linux/x.node': '',
      'node_modules/left/package.json': '{}',
    });
    expect(found).toMatchObject({
      nativeParts: ['binding.gyp', 'prebuilds/linux/x.node'],
      installScripts: [
        { name: 'postinstall', command: 'node setup.js' },
        { name: 'prepare', command: 'tsc' },
      ],
      missingDependencies: ['right', '@a/b'],
    });
    expect(new Set(rulesOf(found))).toEqual(new Set(['native-code', 'install-script', 'missing-dependency']));
  });

  it('says where code does what deserves a look', () => {
    const found = scan({
      'src/a.ts': "\n\nimport { spawn } from 'node:child_process';",
      'b.js': 'x;\nnew Function("return 1")();',
      'c.js': 'fetch(url, { body: JSON.stringify(process.env) })',
      'd.js': 'const key = process.env.KEY; fetch(url);',
      'e.js': `run("${'A'.repeat(700)}")`,
      'f.js': 'if (admin\u202E) {}',
    });
    expect(found.findings.map(({ ruleId, file, line }) => `${ruleId} ${file}:${String(line)}`)).toEqual([
      'runs-processes src/a.ts:3',
      'evaluates-text b.js:2',
      'sends-environment c.js:1',
      'encoded-text e.js:1',
      'hidden-characters f.js:1',
    ]);
  });

  it('looks into the own code of the plugin, not into its packages', () => {
    expect(rulesOf(scan({ 'node_modules/x/a.js': 'eval(text)' }))).toEqual([]);
  });

  it.each(['[]', 'not JSON', '{"scripts": 1, "dependencies": [1]}'])('survives a package.json %s', (text) => {
    expect(scan({ 'package.json': text })).toMatchObject({ installScripts: [] });
  });
});
