import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * The tiers of docs/architecture.md: a folder of `src` may import the folders of the tiers below it and what its row adds.
 * One row a tier, lowest first.
 */
const tiers = [
  { folders: ['contracts', 'base'], also: { base: ['contracts'] } },
  { folders: ['host', 'config'], also: { config: ['host'] } },
  {
    folders: [
      'net',
      'shell',
      'sandbox',
      'checkpoints',
      'hooks',
      'traces',
      'models',
      'sessions',
      'approvals',
      'memory',
    ],
    also: {
      sandbox: ['shell'],
      traces: ['hooks'],
      models: ['net'],
      memory: ['models', 'net'],
    },
  },
  {
    folders: ['tools', 'agent', 'agents', 'schedule', 'channels', 'sdk'],
    also: {
      agent: ['tools'],
      agents: ['tools', 'agent'],
      schedule: ['tools', 'agent', 'agents'],
      channels: ['tools', 'agent', 'agents'],
    },
  },
  { folders: ['plugins', 'mcp'] },
  // A dialect. Whatever carries out turns and calls knows nothing of it, nor do the plugins of the other one.
  { folders: ['dexto'] },
  { folders: ['gateway'] },
  { folders: ['runtime'] },
  { folders: ['editor', 'cli'] },
];

const allFolders = tiers.flatMap((tier) => tier.folders);

/** For each folder: every folder that it may not import. */
const zones = tiers.flatMap((tier, index) =>
  tier.folders.map((folder) => {
    const lower = tiers.slice(0, index).flatMap((each) => each.folders);
    const sameTier = tier.also?.[folder] ?? [];
    const allowed = new Set([folder, ...lower, ...sameTier]);
    return {
      target: `./src/${folder}`,
      from: allFolders.filter((each) => !allowed.has(each)).map((each) => `./src/${each}`),
      message: `Tier rule: src/${folder} may not import this folder (docs/architecture.md).`,
    };
  }),
);

const onlyEditorImportsVscode = {
  paths: [{ name: 'vscode', message: 'Only src/editor and the host tests import vscode.' }],
};

const ioModules = ['fs', 'fs/promises', 'child_process', 'http', 'https', 'net', 'worker_threads'];
const ioThroughHost = {
  paths: [
    ...onlyEditorImportsVscode.paths,
    ...ioModules.flatMap((name) =>
      [name, `node:${name}`].map((each) => ({
        name: each,
        message: 'Inner code reaches the machine through the ports of src/host.',
        allowTypeImports: true,
      })),
    ),
  ],
};

const noSwallowedError = {
  selector: 'CatchClause > BlockStatement[body.length=0]',
  message: 'A swallowed error hides the cause.',
};

export default tseslint.config(
  {
    ignores: ['dist', '.vscode-test', 'test-results', 'examples', 'test/**/fixture/**'],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.mjs', 'scripts/*.mjs'] } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['src/**/*.ts', 'plugins/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': [
        'error',
        { allowInGenericTypeArguments: true, allowAsThisParameter: false },
      ],
      'no-restricted-syntax': ['error', noSwallowedError],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/editor/**'],
    rules: { 'no-restricted-imports': ['error', onlyEditorImportsVscode] },
  },
  {
    files: ['src/**/*.ts'],
    ignores: [
      'src/editor/**',
      'src/cli/**',
      'src/host/node/**',
      'src/plugins/**',
      'src/dexto/load/**',
      'src/dexto/bundle/**',
      'src/gateway/thread/**',
      'src/gateway/routes/**',
      'src/**/*.test.ts',
    ],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', ioThroughHost] },
  },
  {
    // Tests may await sync doubles and use non-null assertions on values they have just built.
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      // The test drivers are closures: their methods can be taken apart.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
