import { describe, expect, it } from 'vitest';
import { parseConfigFile } from './parseConfigFile.ts';

const source = '/w/.pincer/config.jsonc';

describe('parseConfigFile', () => {
  it('reads comments and trailing commas', () => {
    const { config, diagnostics } = parseConfigFile('{\n  // why\n  "model": "built-in",\n}', source);
    expect(config).toEqual({ model: 'built-in' });
    expect(diagnostics).toEqual([]);
  });

  it.each(['', ' \n'])('does not know what a file with %j said', (text) => {
    expect(parseConfigFile(text, source)).toMatchObject({
      isBroken: true,
      diagnostics: [{ level: 'error', code: 'config_empty', line: 1 }],
    });
  });

  it('names file and line of a syntax error and ignores the whole file', () => {
    const { config, diagnostics, isBroken } = parseConfigFile(
      '{\n  "model": "built-in"\n  "agent": {}\n}',
      source,
    );
    expect([config, isBroken]).toEqual([{}, true]);
    expect(diagnostics).toMatchObject([{ code: 'config_syntax', source, line: 3, column: 3 }]);
  });

  it('drops only the key that is wrong and names it with its line', () => {
    const text = '{\n  "model": "built-in",\n  "agent": {\n    "maxRounds": "many"\n  }\n}';
    const { config, diagnostics } = parseConfigFile(text, source);
    expect(config).toEqual({ model: 'built-in', agent: {} });
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ code: 'config_invalid', line: 4, column: 5 });
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
      '{ "plugins": { "deny": [1, "a", 3, "b"] }, "tools": { "allow": [false, "read"] } }',
      source,
    );
    expect(config).toEqual({ plugins: { deny: ['a', 'b'] }, tools: { allow: ['read'] } });
    expect(diagnostics.map(({ message }) => message.split(':')[0]).toSorted()).toEqual([
      'plugins.deny.0',
      'plugins.deny.2',
      'tools.allow.0',
    ]);
  });

  it('takes no path of the memory that is relative to nothing', () => {
    const text = '{ "memory": { "extraPaths": ["~/notes", "/srv/notes", "C:\\\\notes", "notes"] } }';
    const { config, diagnostics } = parseConfigFile(text, source);
    expect(config.memory?.extraPaths).toEqual(['~/notes', '/srv/notes', 'C:\\notes']);
    expect(diagnostics[0]?.message).toContain('Must be absolute or begin with ~/.');
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

describe('what a file says about safety and can not be understood', () => {
  const parse = (config: unknown) => parseConfigFile(JSON.stringify(config), source);

  it.each([
    [{ tools: { allow: [5] } }, { tools: { allow: [], deny: ['*'] } }],
    [{ tools: { allow: 'read' } }, { tools: { deny: ['*'] } }],
    [{ tools: { deny: 'exec' } }, { tools: { deny: ['*'] } }],
    [{ tools: { deny: ['exec', 5] } }, { tools: { deny: ['*'] } }],
    [{ tools: { profile: 5, deny: ['a'] } }, { tools: { deny: ['*'] } }],
    [{ tools: { sandbox: { tools: { allow: {} } } } }, { tools: { sandbox: { tools: { deny: ['*'] } } } }],
    [
      { tools: { byProvider: { a: { deny: [1] }, b: {} } } },
      { tools: { byProvider: { a: { deny: ['*'] }, b: {} } } },
    ],
    [{ tools: { byProvider: 5 } }, { tools: { deny: ['*'] } }],
    [
      { tools: { profiles: { coding: { tools: ['read'] }, own: { allow: ['read'] } } } },
      { tools: { profiles: { coding: { deny: ['*'] }, own: { allow: ['read'] } } } },
    ],
    [{ agents: { main: { tools: 5 } } }, { agents: { main: { tools: { deny: ['*'] } } } }],
    [{ agents: { main: 5 } }, { agents: {}, tools: { deny: ['*'] } }],
    [
      { groups: { g: { tools: { allow: [null] } } } },
      { groups: { g: { tools: { allow: [], deny: ['*'] } } } },
    ],
    [{ tools: { exec: { deny: ['rm **', 5] } } }, { tools: { exec: { deny: ['rm **'], security: 'deny' } } }],
    [{ tools: { exec: { security: 'none' } } }, { tools: { exec: { security: 'deny' } } }],
    [{ sandbox: { enabled: 'yes' } }, { sandbox: {}, tools: { exec: { security: 'deny' } } }],
    [{ tools: { web: { fetch: { denyHosts: 5 } } } }, { tools: { web: { fetch: { enabled: false } } } }],
    [{ approvals: { mode: 'never' } }, { approvals: { mode: 'deny' } }],
    [
      { tools: 5 },
      { tools: { deny: ['*'], exec: { security: 'deny' }, web: { fetch: { enabled: false } } } },
    ],
  ])('%j counts as the strictest there is', (said, holds) => {
    const { config, diagnostics } = parse(said);
    expect(config).toEqual(holds);
    expect(diagnostics[0]?.code).toBe('config_invalid');
    expect(diagnostics[0]?.hint).toContain('until then');
  });

  it.each([
    [{ tools: { allow: ['read', 5] } }, { tools: { allow: ['read'] } }],
    [{ tools: { alsoAllow: [5] } }, { tools: { alsoAllow: [] } }],
    [{ tools: { exec: { allow: [5] } } }, { tools: { exec: { allow: [] } } }],
    [{ tools: { elevated: true } }, { tools: {} }],
    [{ approvals: { timeoutMs: 'x' } }, { approvals: {} }],
  ])('%j is only dropped, since nothing becomes possible by that', (said, holds) => {
    expect(parse(said).config).toEqual(holds);
  });
});
