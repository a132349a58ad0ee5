import { PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { checkPluginId } from './checkPluginId.ts';
import { starters, type StarterKind } from './starters.ts';

export interface ScaffoldAnswers {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: StarterKind;
}

/** A file to write. `path` is relative to the plugin folder, with forward slashes. */
interface ScaffoldFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a new TypeScript plugin that works as it is, with a test that plain `node --test` runs. `sdkTypes` is the text
 * of the SDK's declarations, for IntelliSense without an install. Pure.
 * @throws PincerError `plugin_id_invalid`
 */
export function planScaffold(answers: ScaffoldAnswers, sdkTypes?: string): readonly ScaffoldFile[] {
  const wrong = checkPluginId(answers.id);
  if (wrong !== undefined) throw new PincerError('plugin_id_invalid', wrong);
  const { id, kind } = answers;
  const starter = starters[kind](id);
  const name = inertLine(answers.name, 80) || id;
  const description = inertLine(answers.description, 200) || starter.description;
  const manifest = { id, name, description, version: '0.1.0', ...starter.manifest };
  const packageJson = {
    name: id,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: { test: 'node --test' },
    openclaw: { extensions: ['./index.ts'] },
  };
  return [
    { path: 'openclaw.plugin.json', text: toJson(manifest) },
    { path: 'package.json', text: toJson(packageJson) },
    { path: 'index.ts', text: starter.code },
    { path: 'index.test.mjs', text: starter.test },
    { path: 'README.md', text: readme(id, name, description, starter.usage) },
    { path: 'tsconfig.json', text: toJson(tsconfig(sdkTypes)) },
    ...(sdkTypes === undefined ? [] : [{ path: 'types/openclaw.d.ts', text: sdkTypes }]),
  ];
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Declarations that name their modules count by being there; a plain module has to be pointed to. */
function tsconfig(sdkTypes = ''): object {
  const isAmbient = /^\s*declare module\s+['"]/mu.test(sdkTypes);
  const paths = { 'openclaw/plugin-sdk': ['./types/openclaw.d.ts'] };
  return {
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      ...(isAmbient || sdkTypes === '' ? {} : { paths }),
    },
    include: ['*.ts', 'types/*.d.ts'],
  };
}

function readme(id: string, name: string, description: string, usage: string): string {
  return `# ${escapeMarkdown(name)}

${escapeMarkdown(description)}

${usage}

| file | holds |
| --- | --- |
| \`openclaw.plugin.json\` | who the plugin is, and its settings |
| \`index.ts\` | what it does |
| \`index.test.mjs\` | its test: \`node --test\` (Node 22.18 or newer, nothing to install) |

Its settings stand in your own config, \`~/.pincer/config.jsonc\`, below \`plugins.entries["${id}"].config\`.

\`\`\`sh
node --test
pincer plugins inspect .
pincer plugins enable ${id}
\`\`\`
`;
}
