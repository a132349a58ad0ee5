import { join } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { ifMissing } from '../../host/ifMissing.ts';
import type { FileSystem } from '../../host/ports.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import { checkPluginId } from './checkPluginId.ts';
import { starters, type StarterKind } from './starters.ts';

interface ScaffoldTarget {
  readonly fs: FileSystem;
  /** Absolute path of the new plugin folder; nothing may be there. */
  readonly folder: string;
  /** Absolute path of `dist/`, where the SDK's declarations lie. */
  readonly dist: string;
}

/**
 * Writes a new plugin and gives the absolute paths of its files, `index.ts` first.
 * @throws PincerError `plugin_id_invalid`, `plugin_folder_exists`, `io_*`
 */
export async function writeScaffold(
  { fs, folder, dist }: ScaffoldTarget,
  answers: ScaffoldAnswers,
): Promise<readonly string[]> {
  const files = planScaffold(answers, await readSdkTypes(fs, dist));
  if ((await fs.lstat(folder)) !== undefined) {
    throw new PincerError('plugin_folder_exists', `${folder} already exists.`, {
      hint: 'Choose another id, or remove it.',
    });
  }
  for (const { path, text } of files) await fs.writeFile(join(folder, path), text);
  const paths = files.map(({ path }) => path);
  return ['index.ts', ...paths.filter((path) => path !== 'index.ts')].map((path) => join(folder, path));
}

/** Undefined in a program that was built without them: the plugin then has no IntelliSense for the API. */
async function readSdkTypes(fs: FileSystem, dist: string): Promise<string | undefined> {
  return await fs.readText(join(dist, 'plugin-sdk', 'openclaw.d.ts')).catch(ifMissing(undefined));
}

interface ScaffoldAnswers {
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
