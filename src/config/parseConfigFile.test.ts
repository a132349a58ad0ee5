import { describe, expect, it } from 'vitest';
import { parseConfigFile } from './parseConfigFile.ts';

const source = '/w/.pincer/config.jsonc';

describe('parseConfigFile', () => {
  it('reads comments and trailing commas', () => {
    const { config, diagnostics } = parseConfigFile('{\n  // why\n  "model": "built-in",\n}', source);
    expect(config).toEqual({ model: 'built-in' });
    expect(diagnostics).toEqual([]);
  });

  it('counts an empty file as an empty config', () => {
    expect(parseConfigFile(' \n', source)).toEqual({ config: {}, diagnostics: [] });
  });

  it('names file and line of a syntax error and ignores the whole file', () => {
    const { config, diagnostics, isBroken } = parseConfigFile(
      '{\n  "model": "built-in"\n  "agent": {}\n}',
      source,
    );
    expect([config, isBroken]).toEqual([{}, true]);
    expect(diagnostics).toMatchObject([{ code: 'config_syntax', source, line: 3 }]);
  });

  it('drops only the key that is wrong and names it with its line', () => {
    const text = '{\n  "model": "built-in",\n  "agent": {\n    "maxRounds": "many"\n  }\n}';
    const { config, diagnostics } = parseConfigFile(text, source);
    expect(config).toEqual({ model: 'built-in', agent: {} });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'config_invalid', line: 4 });
    expect(diagnostics[0]?.message).toContain('agent.maxRounds');
  });

  it('reports every unknown key at its own line', () => {
    const { config, diagnostics } = parseConfigFile(
      '{\n  "modle": "x",\n  "agnet": {},\n  "model": "built-in"\n}',
      source,
    );
    expect(config).toEqual({ model: 'built-in' });
    expect(diagnostics.map((each) => [each.line, each.message.includes('unknown key')])).toEqual([
      [2, true],
      [3, true],
    ]);
  });

  it('drops only the wrong elements of a list, so that the other denials hold', () => {
    const { config, diagnostics } = parseConfigFile(
      '{ "tools": { "deny": [1, "exec", 3, "write"], "allow": [false, "read"] } }',
      source,
    );
    expect(config).toEqual({ tools: { deny: ['exec', 'write'], allow: ['read'] } });
    expect(diagnostics.map(({ message }) => message.split(':')[0]).toSorted()).toEqual([
      'tools.allow.0',
      'tools.deny.0',
      'tools.deny.2',
    ]);
  });

  it('drops a part that lacks something, not the file around it', () => {
    const { config } = parseConfigFile(
      '{ "tools": { "deny": ["exec"] }, "models": { "providers": { "p": { "api": "openai-compatible" } } } }',
      source,
    );
    expect(config).toEqual({ tools: { deny: ['exec'] }, models: { providers: {} } });
  });

  it('drops a wrong model and keeps the others of its provider', () => {
    const provider = (models: unknown) => ({
      models: { providers: { p: { api: 'openai-compatible', baseUrl: 'http://localhost/v1', models } } },
    });
    const text = JSON.stringify(provider([{ id: 5, name: '' }, { id: 'a', extra: 1 }, { name: 'x' }]));
    expect(parseConfigFile(text, source).config).toEqual(provider([{ id: 'a' }]));
  });

  it('ignores a file whose root is no object', () => {
    const { config, diagnostics, isBroken } = parseConfigFile('[1, 2]', source);
    expect([config, isBroken]).toEqual([{}, true]);
    expect(diagnostics).toMatchObject([{ code: 'config_invalid', line: 1 }]);
  });
});
