import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PincerError } from '../../src/base/errors.ts';

/** The program of the extension host and that of the window, inside the server's folder. Each asks by a function of its own. */
const programs = [
  join('out', 'vs', 'workbench', 'api', 'node', 'extensionHostProcess.js'),
  join('out', 'vs', 'code', 'browser', 'workbench', 'workbench.js'),
];

/**
 * Makes a VS Code server refuse proposed API to one extension, as every VS Code but this one does: code-server's build allows all
 * of it to all. Built-in extensions keep what they need.
 * @throws PincerError `setup_failed` where a program of the server does not look as expected.
 */
export async function refuseProposedApi(server: string, extensionId: string): Promise<void> {
  for (const program of programs) {
    const file = join(server, program);
    const strict = withoutProposedApi(await readFile(file, 'utf8'), extensionId);
    if (strict === undefined) {
      throw new PincerError(
        'setup_failed',
        `${program} of the VS Code server does not ask for proposed API as it did in the pinned version.`,
        {
          hint: 'Look for isProposedApiEnabled there, and put the expression in scripts/editorHost/refuseProposedApi.ts right.',
        },
      );
    }
    await writeFile(file, strict);
  }
}

/**
 * `isProposedApiEnabled`, minified, in front of the function that throws where it says no. The second part tells it from other
 * functions that give true.
 */
const enabled =
  /(?<head>function (?<name>[\w$]+)\((?<extension>[\w$]+),(?<proposal>[\w$]+)\)\{return) ?(?:!0|true)(?<tail>\}function [\w$]+\(\k<extension>,\k<proposal>\)\{if\(!\k<name>\(\k<extension>,\k<proposal>\)\)throw new Error\(`Extension '\$\{\k<extension>\.identifier\.value\}' CANNOT use API proposal)/gu;

/** The program with a no for this extension; undefined where the place is not found exactly once. Pure. */
export function withoutProposedApi(program: string, extensionId: string): string | undefined {
  if ([...program.matchAll(enabled)].length !== 1) return undefined;
  const isOther = `$<extension>.identifier.value.toLowerCase()!==${JSON.stringify(extensionId.toLowerCase())}`;
  return program.replace(enabled, `$<head> ${isOther}$<tail>`);
}
