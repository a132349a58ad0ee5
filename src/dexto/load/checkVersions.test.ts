import { describe, expect, it } from 'vitest';
import { checkVersions, type VersionFacts } from './checkVersions.ts';
import { dextoCoreVersion } from './dextoCoreVersion.ts';

function check(range: string | undefined, version?: string, api: VersionFacts['api'] = []): unknown {
  return checkVersions({
    entry: { name: 'audit', ...(range === undefined ? {} : { version: range }) },
    ...(version === undefined ? {} : { version }),
    api,
  });
}

describe('checkVersions', () => {
  it('a plugin whose version is in the range of the agent file fits, a pre-release of it included', () => {
    expect(check('^1.2.0', '1.9.0')).toEqual({ ok: true, odd: [] });
    expect(check('^1.2.0', '1.3.0-beta.1')).toEqual({ ok: true, odd: [] });
    expect(check(undefined, undefined)).toEqual({ ok: true, odd: [] });
  });

  it('one that is not in it, says none or says nonsense does not', () => {
    const problem = (version?: string): unknown => (check('^1.2.0', version) as { problem: string }).problem;
    expect(problem('2.0.0')).toBe('the agent file asks for version ^1.2.0, and the plugin is 2.0.0');
    expect(problem()).toBe('the agent file asks for version ^1.2.0, and the plugin says none');
    expect(problem('one')).toBe(
      'the agent file asks for version ^1.2.0, and the plugin says one, which is no version',
    );
  });

  it('a range of the agent file that can’t be read is a mistake there', () => {
    expect(check('soon', '1.0.0')).toMatchObject({ ok: false, by: 'agent file' });
  });

  it('what the plugin asks of the plugin API is checked against one version', () => {
    expect(check(undefined, '1.0.0', [{ range: '1', from: 'apiVersion' }])).toEqual({ ok: true, odd: [] });
    expect(check(undefined, '1.0.0', [{ range: 'workspace:*', from: 'package.json' }])).toEqual({
      ok: true,
      odd: [],
    });
    expect(check(undefined, '1.0.0', [{ range: '^99.0.0', from: 'apiVersion' }])).toMatchObject({
      ok: false,
      by: 'plugin',
      problem: `its apiVersion asks for @dexto/core ^99.0.0, and here it is ${dextoCoreVersion}`,
    });
  });

  it('what a plugin asks in words that nobody can read is named and passed over', () => {
    expect(check(undefined, '1.0.0', [{ range: 'the new one', from: 'apiVersion' }])).toEqual({
      ok: true,
      odd: ["apiVersion of plugin 'audit' is no version range: the new one; it is ignored"],
    });
  });
});
