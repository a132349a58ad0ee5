import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { projectRoot } from './projectRoot.ts';
import { namedPaths, readImports } from './readImports.ts';

/** A file of the product, by its path from the project's folder. */
export interface ProductFile {
  readonly path: string;
  readonly lines: number;
  /** Files of the product and of its build that import it, types counted. */
  readonly importers: readonly string[];
  /** One of its tests imports it. */
  readonly isTested: boolean;
  /** It opens with a threat, which a reader should find in one place. */
  readonly hasThreat: boolean;
  /** It is loaded later, so that it can't be part of the file that loads it. */
  readonly isLoadedLater: boolean;
}

/** From this length on a file stands for itself, up to the other one a file can take another in. Lines. */
const limits = { ownFile: 150, longest: 400 };

/** Files that list what each stands in a file of its own. */
const tables: ReadonlySet<string> = new Set([
  // Surfaces of the window: one file each.
  'src/editor/extension.ts',
  'src/editor/onDemand.ts',
  'src/editor/openEditorRuntime.ts',
  // What a bundle holds.
  'src/runtime/index.ts',
  // Runs before the page does: the order of its two imports is all that it has.
  'src/editor/gateway/page/remotePage.ts',
  // Commands.
  'src/cli/createProgram.ts',
  'src/cli/commands/pluginsProgram.ts',
  // Tools.
  'src/tools/coreTools.ts',
  'src/tools/core/memory/createMemoryTools.ts',
  'src/tools/core/sessions/sessionTools.ts',
  // Rules of hooks, members of the plugin API, types of the SDK.
  'src/hooks/hookCatalog.ts',
  'src/plugins/openclaw/apiMethods.ts',
  'src/sdk/types.ts',
]);

/**
 * Files that only one other needs, each with that other: both would read better as one. A file stands for itself where two import
 * it, where a test does, from 150 lines on, where it opens with a threat, is loaded later, is a row of a table or of another tier,
 * and where the other would get too long with it. Pure.
 */
export function findThinFiles(files: readonly ProductFile[]): readonly (readonly [string, string])[] {
  const lines = new Map(files.map((file) => [file.path, file.lines]));
  return files.flatMap((file): readonly (readonly [string, string])[] => {
    const [user, ...others] = file.importers;
    if (user === undefined || others.length > 0 || file.lines >= limits.ownFile) return [];
    if (file.isTested || file.hasThreat || file.isLoadedLater) return [];
    if (tables.has(user) || tierOf(user) !== tierOf(file.path)) return [];
    return (lines.get(user) ?? 0) + file.lines > limits.longest ? [] : [[file.path, user]];
  });
}

/** The folder below `src`. */
function tierOf(path: string): string | undefined {
  return path.split('/')[1];
}

/** Reads what `findThinFiles` asks. */
export async function readProductFiles(): Promise<readonly ProductFile[]> {
  const imports = await readImports(['src', 'plugins', 'scripts', 'test']);
  const build = await readFile(join(projectRoot, 'esbuild.mjs'), 'utf8');
  const ownOfBuild = new Set(namedPaths(build).map((path) => normalize(path)));
  const texts = new Map(
    await Promise.all(
      [...imports.keys()].map(async (file): Promise<readonly [string, string]> => [
        file,
        await readFile(join(projectRoot, file), 'utf8'),
      ]),
    ),
  );
  const users = new Map<string, string[]>();
  for (const [file, named] of imports)
    for (const each of new Set(named)) users.set(each, [...(users.get(each) ?? []), file]);
  const later = new Set([...texts].flatMap(([file, text]) => loadedLater(file, text)));
  return [...texts]
    .filter(([path]) => path.startsWith('src/') && !isTest(path) && !path.endsWith('.d.ts'))
    .map(([path, text]) => {
      const all = users.get(path) ?? [];
      return {
        path,
        lines: text.split('\n').length - 1,
        importers: [
          ...all.filter((user) => user.startsWith('src/') && !isTest(user)),
          ...(ownOfBuild.has(path) ? ['esbuild.mjs'] : []),
        ],
        isTested: all.some((user) => isTest(user) && user.startsWith('src/')),
        hasThreat: /^(?:\/\/|\/\*\*) Threat/mu.test(text.slice(0, 400)),
        isLoadedLater: later.has(path),
      };
    });
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

function loadedLater(file: string, text: string): readonly string[] {
  return [...text.matchAll(/import\(\s*'(\.[^']+)'/gu)].map(([, path = '']) => join(dirname(file), path));
}
