import { describe, expect, test } from 'vitest';
import { pluginTool } from '../../test/samples/tools/createTestPipeline.ts';
import type { AgentTool } from '../contracts/tool.ts';
import { createToolCatalog, type ToolCatalog, type ToolCatalogInput } from './catalog.ts';
import { createParamsValidator } from './createParamsValidator.ts';

function tool(name: string, parts: Partial<AgentTool> = {}): AgentTool {
  return pluginTool(() => '', { name, ...parts });
}

function core(name: string, mayWrite = false): AgentTool {
  return tool(name, { owner: { kind: 'core' }, mayWrite });
}

function catalogOf(input: Partial<ToolCatalogInput>): ToolCatalog {
  return createToolCatalog({
    core: [core('read'), core('write', true)],
    plugins: [],
    policy: [],
    isReadOnly: false,
    validator: createParamsValidator(),
    ...input,
  });
}

function names(catalog: ToolCatalog): string[] {
  return catalog.tools().map((each) => each.name);
}

describe('a tool is hidden with its reason', () => {
  test('when a core tool or an earlier plugin has its name', () => {
    const plugins = [
      tool('Read'),
      tool('deploy'),
      tool('deploy', { owner: { kind: 'plugin', pluginId: 'late' } }),
    ];
    const catalog = catalogOf({ plugins });
    expect(names(catalog)).toEqual(['read', 'write', 'deploy']);
    expect(catalog.hidden().map(({ name, code, reason }) => [name, code, reason])).toEqual([
      ['Read', 'tool_conflict', 'the name is taken by Pincer'],
      ['deploy', 'tool_conflict', 'the name is taken by plugin loud'],
    ]);
    expect(catalog.diagnostics()[1]).toMatchObject({ pluginId: 'late', code: 'tool_conflict' });
  });

  test.each([
    ['a name no model takes', tool('déploy')],
    ['a long name', tool('x'.repeat(65))],
    ['parameters that are no object schema', tool('a', { parameters: { type: 'string' } })],
    [
      'parameters that are no schema',
      tool('a', { parameters: { type: 'object', properties: { x: { type: 'foo' } } } }),
    ],
    ['parameters that refer elsewhere', tool('a', { parameters: { type: 'object', $ref: 'https://x/y' } })],
    [
      'parameters that no model protocol takes',
      tool('a', { parameters: { type: 'object', properties: {}, required: ['x'] } }),
    ],
    ['no parameters', tool('a', { parameters: undefined as unknown as AgentTool['parameters'] })],
    [
      'a plugin id that is the name of a core tool',
      tool('a', { owner: { kind: 'plugin', pluginId: 'read' } }),
    ],
  ])('for %s', (_what, malformed) => {
    const catalog = catalogOf({ plugins: [malformed, tool('good')] });
    expect(names(catalog)).toEqual(['read', 'write', 'good']);
    expect(catalog.hidden()).toMatchObject([{ code: 'tool_malformed' }]);
  });

  test('in a restricted window when it may write', () => {
    const catalog = catalogOf({ isReadOnly: true, plugins: [tool('deploy')] });
    expect(names(catalog)).toEqual(['read']);
    expect(catalog.hidden().map((each) => each.code)).toEqual(['tool_read_only', 'tool_read_only']);
  });

  test('without a folder when it is a core tool that needs one', () => {
    const coreTools = [core('read'), core('write', true), core('web_fetch')];
    const catalog = catalogOf({ isWithoutFolder: true, core: coreTools, plugins: [tool('deploy')] });
    expect(names(catalog)).toEqual(['web_fetch', 'deploy']);
    expect(catalog.hidden().map((each) => each.reason)).toEqual(['no folder is open', 'no folder is open']);
    expect(catalog.diagnostics()).toEqual([]);
  });

  test('while it says that it can not be used, unless a policy hides it anyway', () => {
    const search = { ...core('web_search'), unavailable: () => 'no search service is configured' };
    const hiddenBy = (policy: ToolCatalogInput['policy']) =>
      catalogOf({ core: [search], policy }).hidden()[0];
    expect(hiddenBy([])).toMatchObject({
      code: 'tool_unavailable',
      reason: 'no search service is configured',
    });
    expect(hiddenBy([{ label: 'config', deny: ['web_search'] }])?.code).toBe('tool_denied');
    expect(names(catalogOf({ core: [{ ...search, unavailable: () => undefined }] }))).toEqual(['web_search']);
  });

  test('and a denied name does not come back from another plugin', () => {
    const second = tool('deploy', { owner: { kind: 'plugin', pluginId: 'late' } });
    const plugins = [tool('write'), tool('deploy'), second];
    const catalog = catalogOf({ policy: [{ label: 'config', deny: ['write', 'loud'] }], plugins });
    expect(names(catalog)).toEqual(['read']);
    expect(catalog.hidden().at(-1)?.code).toBe('tool_conflict');
  });
});

describe('policy', () => {
  const visible = (allow: readonly string[], deny: readonly string[] = [], optional = false): string[] =>
    names(
      catalogOf({
        core: [core('read'), core('exec', true)],
        plugins: [tool('shout', { optional })],
        policy: [{ label: 'config', allow, deny, isUser: true }],
      }),
    );

  test.each([
    [[], [], ['read', 'exec', 'shout']],
    [['read'], [], ['read']],
    [['*'], ['exec'], ['read', 'shout']],
    [['exec'], ['exec'], []],
    [[], ['bash'], ['read', 'shout']],
    [['group:fs'], [], ['read']],
    [['group:plugins'], [], ['shout']],
    [['LOUD'], [], ['shout']],
    [['sh*'], [], ['shout']],
    [[], ['loud'], ['read', 'exec']],
  ])('allow %j deny %j gives %j', (allow, deny, expected) => {
    expect(visible(allow, deny)).toEqual(expected);
  });

  test('layers are joined by "and", and the layer that hid a tool is named', () => {
    const catalog = catalogOf({
      policy: [
        { label: 'user config', allow: ['group:fs'] },
        { label: 'workspace config', deny: ['write'] },
      ],
      plugins: [tool('shout')],
    });
    expect(names(catalog)).toEqual(['read']);
    expect(catalog.hidden().map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'write: denied by "write" in workspace config',
      'shout: not in the allow list of user config',
    ]);
  });

  test.each([
    [[], false],
    [['read'], false],
    [['shout'], true],
    [['s*t'], true],
    [['loud'], true],
    [['group:plugins'], true],
    [['*'], true],
  ])('an optional tool with allow %j is offered: %s', (allow, expected) => {
    expect(visible(allow, [], true).includes('shout')).toBe(expected);
  });

  test('entries that match nothing and lists of plugins alone are told', () => {
    const catalog = catalogOf({
      plugins: [tool('shout')],
      policy: [{ label: 'config', allow: ['loud'], deny: ['raed', 'exec', 'group:web'] }],
    });
    expect(catalog.diagnostics().map(({ code, message }) => [code, message])).toEqual([
      ['tool_policy_unknown', '"raed" in config matches no tool.'],
      [
        'tool_policy_only_plugins',
        'The allow list of config contains only plugin entries; core tools will not be available.',
      ],
    ]);
    expect(catalog.diagnostics()[0]?.hint).toContain('Did you mean "read"?');
  });
});

describe('parameters of one name and different types', () => {
  const withPath = (name: string, type: unknown, parts: Partial<AgentTool> = {}): AgentTool =>
    tool(name, { parameters: { type: 'object', properties: { path: { type } } }, ...parts });

  test('are told where the tools are of one plugin, and both tools stay', () => {
    const plugins = [withPath('lint', 'string'), withPath('fix', 'array'), withPath('format', 'string')];
    const catalog = catalogOf({ plugins });
    expect(names(catalog)).toEqual(['read', 'write', 'lint', 'fix', 'format']);
    expect(catalog.diagnostics()).toMatchObject([
      {
        level: 'warn',
        code: 'tool_param_conflict',
        pluginId: 'loud',
        message:
          'The parameter "path" is string in the tool "lint" of plugin loud and array in the tool "fix" of plugin loud.',
      },
    ]);
  });

  test('are told where the tools are of one group, whoever brings them', () => {
    const other = { owner: { kind: 'plugin', pluginId: 'other' } } as const;
    const plugins = [withPath('memory_search', 'string'), withPath('memory_get', 'array', other)];
    expect(
      catalogOf({ plugins })
        .diagnostics()
        .map(({ code }) => code),
    ).toEqual(['tool_param_conflict']);
  });

  test('are no conflict between strangers, for hidden tools, or between integer and number', () => {
    const other = { owner: { kind: 'plugin', pluginId: 'other' } } as const;
    const plugins = [withPath('a', 'integer'), withPath('b', 'number'), withPath('c', 'string', other)];
    expect(catalogOf({ plugins }).diagnostics()).toEqual([]);
    const policy = [{ label: 'config', deny: ['d'] }];
    expect(catalogOf({ plugins: [...plugins, withPath('d', 'array')], policy }).diagnostics()).toEqual([]);
  });
});

describe('explain', () => {
  const policy = [
    { label: 'a', allow: ['group:fs'] },
    { label: 'b', deny: ['write'] },
    { label: 'c', allow: ['read'] },
  ];

  test('says what every layer says, also behind the one that hid the tool', () => {
    const [write] = catalogOf({ policy }).explain('WRITE');
    expect(write?.hidden).toMatchObject({ code: 'tool_denied', layer: 'b' });
    expect(write?.layers).toEqual([
      { label: 'a', kind: 'allows', entry: 'group:fs' },
      { label: 'b', kind: 'denies', entry: 'write' },
      { label: 'c', kind: 'omits' },
    ]);
    expect(catalogOf({ policy }).explain('read')[0]?.hidden).toBeUndefined();
  });

  test('finds all tools of a name, those by an alias too, and none for a strange one', () => {
    const catalog = catalogOf({ core: [core('exec')], plugins: [tool('exec'), tool('read')] });
    expect(catalog.explain('bash').map(({ hidden }) => hidden?.code)).toEqual([undefined, 'tool_conflict']);
    expect(catalog.explain('raed')).toEqual([]);
  });
});

test('schemas of any dialect are taken, and two with one $id do not collide', () => {
  const parameters = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'same',
    type: 'object',
    properties: { when: { type: 'string', format: 'date' } },
  };
  const validator = createParamsValidator();
  const a = tool('a', { parameters });
  const catalog = catalogOf({ validator, plugins: [a, tool('b', { parameters: { ...parameters } })] });
  expect(names(catalog)).toEqual(['read', 'write', 'a', 'b']);
  expect(validator.validate(a, { when: 1 })).toEqual(['when: must be string']);
  expect(validator.validate(a, { when: 'x' })).toEqual([]);
});
