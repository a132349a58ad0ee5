import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/contracts/diagnostic.ts';
import { openPointWorld } from '../points/openPointWorld.ts';
import type { PointWorld } from '../points/pointSample.ts';
import { openFaultWorld, type FaultWorld } from './openFaultWorld.ts';

// A message names file, line, plugin and reason, and says what to write instead.

/** The runtime on these files of `.pincer`, and on links by the place that they lead to. */
async function openFiles(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Promise<FaultWorld> {
  const world = await openPointWorld({
    isRecorded: false,
    async prepare({ agentDir }) {
      const at = async (path: string): Promise<string> => {
        const full = join(agentDir, path);
        await mkdir(dirname(full), { recursive: true });
        return full;
      };
      for (const [path, text] of Object.entries(files)) await writeFile(await at(path), text);
      for (const [path, target] of Object.entries(links)) await symlink(target, await at(path));
    },
  });
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

/** The one error that keeps the agent from running; `<at>` stands for the folder of the agent file. */
function problemOf({ runtime, agentDir }: PointWorld): Partial<Diagnostic> {
  const errors = runtime.workspace.diagnostics().filter(({ level }) => level === 'error');
  expect(errors.map(({ message }) => message)).toHaveLength(1);
  const [{ source = '', line, message, hint = '', pluginId }] = errors as [Diagnostic];
  const short = (text: string): string => text.replaceAll(agentDir, '<at>');
  return {
    ...{ source: short(source), message: short(message), hint: short(hint) },
    ...(line === undefined ? {} : { line }),
    ...(pluginId === undefined ? {} : { pluginId }),
  };
}

const custom = (module: string, more = 'priority: 10'): string =>
  `plugins:\n  custom:\n    - name: sign\n      module: "${module}"\n      ${more}\n`;

const agentFiles: readonly (readonly [what: string, text: string, expected: object])[] = [
  [
    'a variable that is misspelt',
    custom('${{dexto.agentdir}}/sign.ts'),
    {
      line: 4,
      message: 'plugins.custom[0].module: there is no variable dexto.agentdir.',
      hint: 'Did you mean ${{dexto.agent_dir}}?',
    },
  ],
  [
    'a plugin of its own without a module',
    'plugins:\n  - type: request-logger\n',
    {
      line: 2,
      message: 'There is no built-in plugin "request-logger".',
      hint: expect.stringContaining(
        'Add its file beside type: module: "${{dexto.agent_dir}}/plugins/request-logger.ts".',
      ) as unknown,
    },
  ],
  [
    'a priority with a fraction',
    custom('${{dexto.agent_dir}}/sign.ts', 'priority: 1.5'),
    {
      line: 5,
      message: 'plugins.custom[0].priority: expected a whole number, found a number with a fraction.',
      hint: 'Write a whole number, such as 10.',
    },
  ],
  [
    'a time limit of nothing',
    custom('${{dexto.agent_dir}}/sign.ts', 'priority: 1\n      timeout: 0'),
    {
      line: 6,
      message: 'plugins.custom[0].timeout: the number is too small.',
      hint: 'Write a number from 1 on.',
    },
  ],
  [
    'plugins that are a text',
    'plugins: contentPolicy\n',
    {
      line: 1,
      message: 'plugins: expected plugins by name, or a list of them.',
      hint: 'Write plugins: { contentPolicy: {} } for a built-in plugin, or a list with { type, module } for each of your own.',
    },
  ],
  [
    'custom plugins that are no list',
    'plugins:\n  custom: sign\n',
    { line: 2, message: 'plugins.custom: expected a list of plugins.' },
  ],
  [
    'a kind of storage that there is not',
    'storage:\n  database: { type: mysql }\n',
    {
      line: 2,
      message: 'storage.database.type: this value is not known here.',
      hint: 'Write one of in-memory, sqlite, postgres.',
    },
  ],
  [
    'an address of another protocol',
    'storage:\n  cache: { type: redis, url: "http://sea.example" }\n',
    {
      line: 2,
      message: 'storage.cache.url: expected an address that begins with redis://.',
      hint: expect.stringContaining('Write url: redis://user:password@host:6379/name') as unknown,
    },
  ],
  [
    'a mode that there is not',
    'toolConfirmation:\n  mode: never\n',
    {
      line: 2,
      message: 'toolConfirmation.mode: this value is not known here.',
      hint: 'Write one of manual, event-based, auto-approve, auto-deny.',
    },
  ],
  [
    'tools that are a text',
    'internalTools: read_file\n',
    {
      line: 1,
      message: 'internalTools: expected a list or false, found a text.',
      hint: 'Write a list or false, such as [one, two].',
    },
  ],
  [
    'a tab in front of a key',
    'plugins:\n\tcontentPolicy: {}\n',
    { line: 2, hint: 'Indent by spaces: YAML allows no tabs there.' },
  ],
];

it.each(agentFiles)('an agent file with %s says what to write', async (_what, text, expected) => {
  await using world = await openFiles({ 'agent.yml': text });
  expect(problemOf(world)).toMatchObject({ source: '<at>/agent.yml', ...expected });
});

const pass = 'export default class { beforeResponse() { return { ok: true }; } }';

type Files = Readonly<Record<string, string>>;

const modules: readonly (readonly [what: string, files: Files, expected: object, links: Files])[] = (
  [
    [
      'that imports a file which is not there',
      { 'sign/index.js': "\nimport './helper.js';\n" },
      {
        source: '<at>/sign/index.js',
        line: 2,
        message: expect.stringContaining("Cannot find module './helper.js'") as unknown,
        hint: 'There is no file <at>/sign/helper.js: correct the import in <at>/sign/index.js.',
      },
    ],
    [
      'that imports a file from outside of its folder',
      { 'sign/index.js': "import '../other/helper.js';\n", 'other/helper.js': '' },
      {
        source: '<at>/sign/index.js',
        line: 1,
        hint: '<at>/other/helper.js lies outside of <at>/sign, the folder of the plugin: move it there, and correct the import in <at>/sign/index.js.',
      },
    ],
    [
      'that imports a package which is not installed',
      { 'sign/index.js': "import 'tide-table';\n" },
      { source: '<at>/sign/index.js', line: 1, hint: 'Run npm install tide-table in <at>/sign.' },
    ],
    [
      'that throws while it loads',
      { 'sign/index.js': "\n\nthrow new Error('no tide table');\n" },
      {
        source: '<at>/sign/index.js',
        line: 3,
        message: "plugin 'sign' could not be loaded: no tide table (<at>/sign/index.js:3)",
        hint: 'Correct <at>/sign/index.js, or write enabled: false for sign at <at>/agent.yml:3.',
      },
    ],
    [
      'with an extension point that is misspelt',
      { 'sign/index.js': 'export default class { beforeRespons() {} }' },
      {
        source: '<at>/sign/index.js',
        hint: expect.stringMatching(/^Did you mean beforeResponse by beforeRespons\? /u) as unknown,
      },
    ],
    [
      'with an initialize that is no function',
      { 'sign/index.js': `${pass.slice(0, -1)} initialize = 'early'; }` },
      {
        message: expect.stringContaining('its initialize must be a function, and is a string') as unknown,
        hint: 'Write initialize(config) { … }.',
      },
    ],
    [
      'with a link that leads out of its folder',
      { 'sign/index.js': pass },
      {
        source: '<at>/agent.yml',
        line: 3,
        message: expect.stringMatching(
          /^plugin 'sign': the files of its module <at>\/sign\/index\.js can not be read: .*<at>\/sign\/hosts/u,
        ) as unknown,
        hint: 'Replace the link by a copy.',
      },
      { 'sign/hosts': '/etc/hosts' },
    ],
    [
      'that is a folder without code',
      { 'sign/index.js/README.md': 'Nothing here.' },
      {
        source: '<at>/agent.yml',
        line: 3,
        message: "plugin 'sign': <at>/sign/index.js is a folder, and no file index.ts or index.js is in it",
        hint: 'Name the file itself, or put an index.ts there.',
      },
    ],
    [
      'that is a folder with one file of code',
      { 'sign/index.js/tide.ts': pass },
      {
        source: '<at>/agent.yml',
        line: 3,
        message: "plugin 'sign': <at>/sign/index.js is a folder, and no file index.ts or index.js is in it",
        hint: 'Name the file itself: <at>/sign/index.js/tide.ts.',
      },
    ],
    [
      'whose file has nearly another name',
      { 'sign/index.jsx': pass },
      {
        source: '<at>/agent.yml',
        line: 3,
        message: "plugin 'sign': there is no file <at>/sign/index.js",
        hint: 'Did you mean <at>/sign/index.jsx?',
      },
    ],
  ] as readonly (readonly [string, Files, object, Files?])[]
).map(([what, files, expected, links = {}]) => [what, files, expected, links]);

it.each(modules)(
  'a plugin %s is told with its file and what to do',
  async (_what, files, expected, links) => {
    const agentFile = custom('${{dexto.agent_dir}}/sign/index.js');
    await using world = await openFiles({ 'agent.yml': agentFile, ...files }, links);
    await world.agree();
    expect(problemOf(world)).toMatchObject({ pluginId: 'dexto:sign', ...expected });
  },
);

it('a module that is no code names what may be one, and reads nothing beside it', async () => {
  await using world = await openFiles({ 'agent.yml': custom('/etc/passwd') });
  expect(problemOf(world)).toMatchObject({
    source: '<at>/agent.yml',
    line: 3,
    message: "plugin 'sign': /etc/passwd is no TypeScript or JavaScript by its name",
    hint: 'Name a file that ends in .ts, .js, .mjs or .cjs.',
  });
});

it('a helper beside the agent file is no plugin of another kind, so nothing is said of it', async () => {
  await using world = await openFiles({
    'agent.yml': custom('${{dexto.agent_dir}}/plugins/sign.js'),
    'plugins/sign.js': `import './helper.js';\n${pass}`,
    'plugins/helper.js': 'export const tide = 6;',
  });
  await world.agree();
  expect(world.plugin('sign').status).toBe('loaded');
  expect(world.runtime.workspace.diagnostics().filter(({ message }) => message.includes('helper'))).toEqual(
    [],
  );
});

const turns = [{ toolCalls: [{ name: 'read', arguments: { path: 'notes.md' } }] }, { text: 'The answer.' }];

describe.each(['beforeLLMRequest', 'beforeToolCall', 'afterToolResult', 'beforeResponse'])(
  'at %s',
  (point) => {
    const wrongField = {
      beforeLLMRequest: 'text',
      beforeToolCall: undefined,
      afterToolResult: 'success',
      beforeResponse: 'content',
    }[point];
    const ways: readonly (readonly [does: string, body: string, says: RegExp])[] = [
      [
        'throws',
        "throw new TypeError('broken');",
        /PLUGIN_EXECUTION_FAILED, (?:broken|TypeError) \(index\.js:3\)/u,
      ],
      [
        'returns true',
        'return true;',
        /it returned a boolean in place of \{ ok \}\. Return \{ ok: true \} where nothing is wrong \(index\.js\)/u,
      ],
      ...(wrongField === undefined
        ? []
        : [
            [
              'changes a field to what can not be',
              `return { ok: true, modify: { ${wrongField}: 6 } };`,
              new RegExp(
                String.raw`modify\.${wrongField} must be .* at ${point}, and is a number\. Write modify: \{ ${wrongField}: .* \} \(index\.js\)`,
                'u',
              ),
            ] as const,
          ]),
      [
        'imports what is not there',
        "await import('tide-table');",
        /PLUGIN_EXECUTION_FAILED, (?:Cannot find package 'tide-table'.*|Error MODULE_NOT_FOUND) \(index\.js:3\)/u,
      ],
      [
        'uses what @dexto/core does not have',
        "new (await import('@dexto/core')).PluginManager();",
        /PluginManager of @dexto\/core does not exist here|it used something that @dexto\/core does not have here \(index\.js:3\)/u,
      ],
    ];
    it.each(ways)('a plugin that %s is told with its reason and place', async (_does, body, says) => {
      const plugin = { name: 'faulty', priority: 1, body: `async ${point}() {\n${body}\n}` };
      await using world = await openFaultWorld([plugin], { isRecorded: false });
      await world.say('Hello', turns);
      expect(world.logged()).toMatch(new RegExp(`error Dexto plugin faulty at ${point} failed: `, 'u'));
      expect(world.logged()).toMatch(says);
    });
  },
);
