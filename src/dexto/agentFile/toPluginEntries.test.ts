import { describe, expect, it } from 'vitest';
import { problemsOf, readAgentText as read } from '../../../test/builders/agentFiles.ts';

const custom = (module: string): string =>
  `plugins:\n  custom:\n    - { name: a, priority: 1, module: ${JSON.stringify(module)} }\n`;

describe('plugins of an agent file', () => {
  it.each([
    ['/opt/dexto/plugins/custom.js', '/opt/dexto/plugins/custom.js'],
    ['${{dexto.agent_dir}}/plugins/a.ts', '/ship/app/.pincer/plugins/a.ts'],
    ['file:///opt/a%20b/custom.js', '/opt/a b/custom.js'],
    ['some-plugin', 'some-plugin'],
    ['some-plugin/guard', 'some-plugin/guard'],
    ['@scope/some-plugin', '@scope/some-plugin'],
    ['@scope/some-plugin/dist/index.js', '@scope/some-plugin/dist/index.js'],
  ])('takes the module %s', (module, meant) => {
    expect(read(custom(module)).file?.plugins[0]?.module).toBe(meant);
  });

  it.each([
    ['./plugins/audit.ts', 'plugins/audit.ts'],
    ['plugins/audit.ts', 'plugins/audit.ts'],
    ['plugins/audit.js', 'plugins/audit.js'],
    ['audit.mts', 'audit.mts'],
    ['../shared/audit.ts', 'shared/audit.ts'],
    ['~/plugins/audit.ts', 'plugins/audit.ts'],
    ['a/../../b', 'a/../../b'],
    ['Some Plugin', 'Some Plugin'],
    ['file://server/share/audit.ts', 'server/share/audit.ts'],
  ])('refuses the module %s and shows how it is written', (module, inside) => {
    const [problem, ...others] = read(custom(module)).diagnostics;
    expect(problem).toMatchObject({
      level: 'error',
      code: 'agent_file_module_relative',
      line: 3,
      column: 39,
    });
    expect(problem?.hint).toContain(`"\${{dexto.agent_dir}}/${inside}"`);
    expect(others).toEqual([]);
  });

  it.each(['//server/share/audit.ts', '\\\\\\\\server\\\\share\\\\audit.ts'])(
    'refuses the module %s of another machine unseen',
    (module) => {
      expect(read(custom(module)).diagnostics).toMatchObject([
        { level: 'error', code: 'agent_file_module_remote', line: 3 },
      ]);
    },
  );

  it('refuses two of a name, built-in and custom, switched off or not', () => {
    const { file, diagnostics } = read(`plugins:
  contentPolicy: {}
  custom:
    - { name: contentPolicy, module: pkg, priority: 1 }
    - { name: b, module: pkg, priority: 2 }
    - { name: b, module: other, priority: 3, enabled: false }
`);
    expect(file).toBeUndefined();
    expect(diagnostics.map(({ code, message, line }) => [code, message, line])).toEqual([
      ['agent_file_plugin_twice', 'Two plugins are called "contentPolicy" (lines 2 and 4).', 4],
      ['agent_file_plugin_twice', 'Two plugins are called "b" (lines 5 and 6).', 6],
    ]);
  });

  it('refuses two of a priority among those that are on, and names both with their lines', () => {
    const yaml = (enabled: boolean): string => `plugins:
  custom:
    - { name: early, module: pkg, priority: -5 }
    - { name: guard, module: pkg, priority: 10 }
    - { name: second, module: pkg, priority: -5, enabled: ${enabled} }
  contentPolicy: { enabled: ${enabled} }
`;
    expect(read(yaml(false)).file?.plugins).toHaveLength(4);
    expect(
      read(yaml(true)).diagnostics.map(({ code, message, line, column }) => [code, message, line, column]),
    ).toEqual([
      ['agent_file_priority_twice', 'early (line 3) and second (line 5) both have priority -5.', 5, 46],
      [
        'agent_file_priority_twice',
        'guard (line 4) and contentPolicy (line 6) both have priority 10.',
        6,
        18,
      ],
    ]);
  });

  it.each([
    ['no name', '{ module: pkg, priority: 1 }', 'name is missing'],
    ['an empty name', '{ name: "", module: pkg, priority: 1 }', 'name'],
    ['a name that hides something', '{ name: "a\\u202eb", module: pkg, priority: 1 }', "can't be seen"],
    ['no module', '{ name: a, priority: 1 }', 'module is missing'],
    ['no priority', '{ name: a, module: pkg }', 'priority is missing'],
    ['a fraction as priority', '{ name: a, module: pkg, priority: 1.5 }', 'priority'],
    ['a text as priority', '{ name: a, module: pkg, priority: "1" }', 'priority'],
    ['no time at all', '{ name: a, module: pkg, priority: 1, timeout: 0 }', 'timeout'],
    ['more time than ten minutes', '{ name: a, module: pkg, priority: 1, timeout: 600001 }', 'timeout'],
    ['settings that are a list', '{ name: a, module: pkg, priority: 1, config: [] }', 'config'],
    ['a slip', '{ name: a, module: pkg, priority: 1, bloking: false }', 'plugins.custom[0].bloking'],
    ['no object', 'audit', 'plugins.custom[0]'],
  ])('refuses a plugin with %s', (_what, item, words) => {
    const [problem, ...others] = read(`plugins: { custom: [${item}] }`).diagnostics;
    expect(problem?.level).toBe('error');
    expect(problem?.message).toContain(words);
    expect(others).toEqual([]);
  });

  it('takes time, dependencies and version of a plugin', () => {
    const { file } = read(
      'plugins: { custom: [{ name: a, module: pkg, priority: 1, timeout: 250, dependsOn: [b], version: ^1.2.0, config: null }] }',
    );
    expect(file?.plugins[0]).toMatchObject({
      timeoutMs: 250,
      dependsOn: ['b'],
      version: '^1.2.0',
      config: {},
    });
  });

  it('checks a built-in’s options strictly, and names the nearest known one', () => {
    const [option] = read('plugins: { contentPolicy: { maxInputChar: 5 } }').diagnostics;
    expect(option).toMatchObject({ level: 'error', code: 'agent_file_key_unknown', line: 1, column: 29 });
    expect(option?.hint).toContain('Did you mean maxInputChars?');
    const [name] = read('plugins: { contentPolcy: {} }').diagnostics;
    expect(name).toMatchObject({ level: 'error', code: 'agent_file_plugin_unknown', line: 1, column: 12 });
    expect(name?.hint).toContain('Did you mean contentPolicy?');
    expect(problemsOf('plugins: { contentPolicy: { maxInputChars: 0 } }')).toEqual([
      'error agent_file_invalid 1:44',
    ]);
    expect(problemsOf('plugins: { contentPolicy: false }')).toEqual(['error agent_file_invalid 1:27']);
    expect(problemsOf('plugins: { custom: { name: a } }')).toEqual(['error agent_file_invalid 1:20']);
    expect(problemsOf('plugins: [a]')).toEqual(['error agent_file_invalid 1:11']);
    const [text] = read('plugins: all').diagnostics;
    expect(text?.hint).toContain('plugins: { contentPolicy: {} }');
    expect(read('plugins:\n  responseSanitizer:\n').file?.plugins).toMatchObject([
      { name: 'responseSanitizer', enabled: true, blocking: false, priority: 900 },
    ]);
  });

  it('reads a list in the order of the file, of built-in plugins and of the user’s own', () => {
    const { file, diagnostics } = read(`plugins:
  - { type: content-policy, maxInputChars: 9 }
  - { type: audit, module: pkg, level: high }
  - { name: tenant, module: /opt/tenant.ts }
`);
    expect(diagnostics).toEqual([]);
    expect(file?.plugins).toMatchObject([
      { kind: 'builtin', name: 'contentPolicy', priority: 0, config: { maxInputChars: 9 } },
      { kind: 'custom', name: 'audit', module: 'pkg', priority: 1, config: { level: 'high' } },
      { kind: 'custom', name: 'tenant', module: '/opt/tenant.ts', priority: 2 },
    ]);
  });

  it('says what to add where a plugin of the user’s own has no module', () => {
    const [problem] = read('hooks: [{ type: request-logger }]').diagnostics;
    expect(problem?.hint).toContain(
      'Add its file beside type: module: "${{dexto.agent_dir}}/plugins/request-logger.ts".',
    );
    expect(problem?.hint).not.toContain('Did you mean');
  });

  it.each([
    [
      'priority: 1.5',
      'expected a whole number, found a number with a fraction',
      'Write a whole number, such as 10.',
    ],
    ["priority: 'first'", 'expected a number, found a text', 'Write a number, such as 10.'],
    ['priority: 1, blocking: 7', 'expected true or false, found a number', 'Write true or false'],
    ['priority: 1, config: []', 'expected keys with values, found a list', 'Write keys with values'],
  ])('says in words of the file what is wrong with %s', (keys, message, hint) => {
    const [problem] = read(`plugins: { custom: [{ name: a, module: pkg, ${keys} }] }`).diagnostics;
    expect(problem?.message).toContain(message);
    expect(problem?.hint).toContain(hint);
  });

  it('reads the registry of a later version', () => {
    const { file, diagnostics } = read(`plugins:
  registry:
    - { type: content-policy, priority: 3, blocking: false, config: { maxInputChars: 9 } }
    - { type: audit, module: pkg, priority: 4, config: { a: 1 } }
`);
    expect(diagnostics).toEqual([]);
    expect(file?.plugins).toMatchObject([
      {
        kind: 'builtin',
        name: 'contentPolicy',
        priority: 3,
        blocking: false,
        config: { maxInputChars: 9 },
        line: 3,
      },
      { kind: 'custom', name: 'audit', module: 'pkg', priority: 4, config: { a: 1 }, line: 4 },
    ]);
    const [problem] = read('plugins: { registry: [{ type: audit, priority: 1 }] }').diagnostics;
    expect(problem).toMatchObject({ code: 'agent_file_plugin_unknown', level: 'error' });
    expect(problem?.hint).toContain('module: "${{dexto.agent_dir}}/plugins/');
  });

  it('reads the hooks of today’s version: their order counts, after the plugins, and each may block', () => {
    const { file, diagnostics } = read(`plugins: { custom: [{ name: a, module: pkg, priority: 50 }] }
hooks:
  - { type: response-sanitizer, enabled: true, maxResponseLength: 9 }
  - { type: content-policy, enabled: false }
  - { type: logger, module: "\${{dexto.agent_dir}}/l.ts", logDir: x }
`);
    expect(diagnostics).toEqual([]);
    expect(
      file?.plugins.map(({ name, priority, blocking, enabled }) => [name, priority, blocking, enabled]),
    ).toEqual([
      ['a', 50, true, true],
      ['responseSanitizer', 51, true, true],
      ['contentPolicy', 52, true, false],
      ['logger', 53, true, true],
    ]);
    expect(file?.plugins[3]).toMatchObject({ module: '/ship/app/.pincer/l.ts', config: { logDir: 'x' } });
    expect(problemsOf('hooks: [{ type: request-logger }]')).toEqual(['error agent_file_plugin_unknown 1:11']);
    expect(read('hooks: { contentPolicy: {}, custom: [] }').file?.plugins).toMatchObject([
      { name: 'contentPolicy' },
    ]);
  });
});
