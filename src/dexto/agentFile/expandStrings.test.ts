import { describe, expect, it } from 'vitest';
import { problemsOf, readAgentText } from '../../../test/builders/agentFiles.ts';

const plugin = (value: string): string =>
  `plugins: { custom: [{ name: a, module: pkg, priority: 1, config: { it: ${JSON.stringify(value)} } }] }`;
const configOf = (value: string, more: Parameters<typeof readAgentText>[1] = {}): unknown =>
  readAgentText(plugin(value), more).file?.plugins[0]?.config['it'];

describe('folders in an agent file', () => {
  it.each([
    ['${{dexto.agent_dir}}/plugins/a.ts', '/ship/app/.pincer/plugins/a.ts'],
    ['${{ dexto.agent_dir }}', '/ship/app/.pincer'],
    ['${{dexto.project_dir}}/data', '/ship/app/data'],
    ['${{dexto.agent_dir}}/..hidden/a.ts', '/ship/app/.pincer/..hidden/a.ts'],
    ['${{dexto.agent_dir}}/a/../b', '/ship/app/.pincer/a/../b'],
    ['file://${{dexto.agent_dir}}/a.ts', 'file:///ship/app/.pincer/a.ts'],
    [
      'Files lie in ${{dexto.agent_dir}}, not in ../other.',
      'Files lie in /ship/app/.pincer, not in ../other.',
    ],
    ['${{dexto.agent_dir}} and ${{dexto.project_dir}}', '/ship/app/.pincer and /ship/app'],
    ['${{other.thing}} {{mustache}} $5', '${{other.thing}} {{mustache}} $5'],
  ])('reads %s', (said, meant) => {
    expect(configOf(said)).toBe(meant);
  });

  it.each([
    ['${{dexto.agent_dir}}/../other/a.ts'],
    ['${{dexto.agent_dir}}/a/../../b/../.pincer/c.ts'],
    ['${{dexto.agent_dir}}\\..\\other'],
    ['file://${{dexto.agent_dir}}/%2e%2e/other'],
    ['file://${{dexto.agent_dir}}%2f..%2fother'],
    ['--config=${{dexto.agent_dir}}/../x --more'],
    ['${{dexto.agent_dir}}/a folder/../../x'],
  ])('refuses %s, which leads out', (said) => {
    expect(readAgentText(plugin(said)).diagnostics.map(({ code }) => code)).toEqual([
      'agent_file_path_escapes',
    ]);
  });

  it('puts a folder in as it is called, whatever its name looks like', () => {
    for (const dir of [
      '/ship/$&/x',
      "/ship/$'$`$1",
      '/ship/$KEY',
      '/ship/${{dexto.agent_dir}}',
      '/ship/a b',
    ]) {
      expect(configOf('${{dexto.agent_dir}}/a', { dir })).toBe(`${dir}/a`);
    }
    expect(configOf('file://${{dexto.agent_dir}}/a', { dir: '/ship/a b#c' })).toBe(
      'file:///ship/a%20b%23c/a',
    );
  });

  it('reads what the spec writes without its dollar sign, and says so', () => {
    const { file, diagnostics } = readAgentText(plugin('{{dexto.agent_dir}}/a'));
    expect(file?.plugins[0]?.config).toEqual({ it: '/ship/app/.pincer/a' });
    expect(diagnostics).toMatchObject([
      { level: 'warn', code: 'agent_file_variable_without_dollar', line: 1, column: 72 },
    ]);
  });

  it('names a variable that there is not, and the one that is meant', () => {
    const [problem] = readAgentText(plugin('${{dexto.agentdir}}/a')).diagnostics;
    expect(problem).toMatchObject({ level: 'error', code: 'agent_file_variable_unknown' });
    expect(problem?.hint).toContain('${{dexto.agent_dir}}');
    expect(problemsOf(plugin('${{dexto.project_dir}}/a'), { projectDir: undefined })).toEqual([
      'error agent_file_variable_unknown 1:72',
    ]);
  });

  it('looks into values, never into keys', () => {
    const { file } = readAgentText(
      'plugins: { custom: [{ name: a, module: pkg, priority: 1, config: { "$KEY": ["$KEY", { x: "${KEY}" }] } }] }',
    );
    expect(file?.plugins[0]?.config).toEqual({ $KEY: ['value-of-key', { x: 'value-of-key' }] });
  });

  it('means nothing by ".." in prose', () => {
    const { file } = readAgentText('systemPrompt: "${{dexto.agent_dir}}/../x costs $KEY"');
    expect(file?.systemPrompt).toMatchObject([{ content: '/ship/app/.pincer/../x costs $KEY' }]);
  });
});

describe('environment variables in an agent file', () => {
  it.each([
    ['$KEY', 'value-of-key'],
    ['${KEY}', 'value-of-key'],
    ['Bearer ${KEY}!', 'Bearer value-of-key!'],
    ['$KEY-$PORT', 'value-of-key-5433'],
    ['$$KEY and $${KEY}', '$KEY and ${KEY}'],
    ['pa$word pa$$word $1 100$', 'pa$word pa$$word $1 100$'],
    ['${user.name} ${}', '${user.name} ${}'],
  ])('reads %s', (said, meant) => {
    expect(configOf(said)).toBe(meant);
  });

  it('puts a value in once: what it holds is not read again', () => {
    expect(configOf('$KEY', { env: { KEY: '${{dexto.agent_dir}} $PORT', PORT: 'x' } })).toBe(
      '${{dexto.agent_dir}} $PORT',
    );
  });

  it('keeps each value that was put in as a secret, and no other', () => {
    expect(readAgentText(plugin('a $KEY b $KEY'), { env: { KEY: 's', OTHER: 't' } }).file?.secrets).toEqual([
      's',
    ]);
  });

  it.each([
    ['a missing one', plugin('$NO_SUCH'), 'error agent_file_env_missing 1:72'],
    ['an empty one', plugin('$EMPTY'), 'error agent_file_env_missing 1:72'],
    ['a name that objects inherit', plugin('${constructor}'), 'error agent_file_env_missing 1:72'],
    [
      'one of a plugin that is switched off',
      'plugins: { custom: [{ name: a, module: pkg, priority: 1, enabled: false, config: { it: $NO_SUCH } }] }',
      'info agent_file_env_missing 1:88',
    ],
    [
      'one of a built-in that is switched off',
      'plugins: { contentPolicy: { enabled: false, blockedWords: [$NO_SUCH] } }',
      'info agent_file_env_missing 1:60',
    ],
    [
      'one of a key that nothing uses',
      'mcpServers: { a: { type: http, url: $NO_SUCH, enabled: false } }',
      'info agent_file_env_missing 1:37',
    ],
  ])('names %s', (_what, yaml, problem) => {
    expect(problemsOf(yaml, { env: { EMPTY: '' } })).toEqual([problem]);
  });
});

it('takes what names a place on disk for no secret: with $HOME in it, no path could be told any more', () => {
  const text = `plugins:
  custom:
    - { name: a, module: $PLACE/a.ts, priority: 1, config: { path: $KEY, module: $OTHER } }
storage:
  database: { type: sqlite, path: $PLACE/data.sqlite }
  blob: { type: local, storePath: $PLACE/blobs }
systemPrompt: { contributors: [{ id: f, type: file, priority: 1, files: [$PLACE/a.md] }] }
`;
  const env = { PLACE: '/ship/app', KEY: 'key-1234', OTHER: 'other-1234' };
  expect(readAgentText(text, { env }).file?.secrets).toEqual(['key-1234', 'other-1234']);
});
