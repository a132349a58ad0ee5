import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { PincerError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import type { BundleAgentInput } from '../../dexto/bundle/bundleAgent.ts';
import type { FileSystem } from '../../host/ports.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertMessage } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';

interface BundleOptions extends CliOptions {
  /** Default: `.pincer/agent.yml` of the workspace. */
  readonly agent?: string;
  /** Default: `agent-bundle.cjs` in the current folder. */
  readonly output?: string;
  /** Default: none, each file whole. */
  readonly bundler?: 'esbuild';
  readonly minify?: boolean;
}

/**
 * `pincer bundle`: an agent file and its plugins as one file, which `pincer agent --bundle` runs without any of them (Dexto plugin specification,
 * Build-Time Plugin Bundling). Runs no plugin. What may be missing in it goes to standard error.
 */
export async function runBundleCommand(options: BundleOptions, output: Output): Promise<ExitCode> {
  const { builtIns, bundleAgent, createNodeFileSystem } = await import('../../runtime/index.ts');
  const fs = createNodeFileSystem();
  const workspace = resolve(options.workspace);
  const agent = inHome(options.agent) ?? join(workspace, '.pincer', 'agent.yml');
  const target = resolve(options.output ?? 'agent-bundle.cjs');
  await refuseOtherFile(fs, target);
  const made = await bundleAgent({
    ...{ fs, path: agent, roots: [workspace], env: process.env, builtIns },
    ...bundlerOf(options),
  });
  await fs.writeFile(target, made.text);
  const { plugins, modules, warnings } = made;
  if (options.json === true) {
    output.out(toJson({ output: target, plugins, modules, warnings }));
    return exitCodes.ok;
  }
  for (const each of warnings) output.err(`warning: ${inertMessage(describeDiagnostic(each))}\n`);
  const names = plugins.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
  const here = relative(process.cwd(), target);
  const what = names.length === 0 ? 'no custom plugins' : `${names.join(', ')} (${plural(modules, 'file')})`;
  output.out(`${here} holds ${what}.\nRun it: pincer agent --bundle ${here} -m "..."\n`);
  return exitCodes.ok;
}

function bundlerOf({ bundler, minify = false }: BundleOptions): Pick<BundleAgentInput, 'bundler'> {
  if (bundler !== undefined) return { bundler: { name: bundler, minify } };
  if (minify)
    throw new PincerError('option_invalid', '--minify needs a bundler that can do it.', {
      hint: 'Add --bundler esbuild.',
    });
  return {};
}

/**
 * `pincer compile`: a folder of plugins as JavaScript, which needs no transpiler where it runs (Dexto plugin specification, Plugin
 * Compilation Pipeline). Runs no plugin.
 */
export async function runCompileCommand(
  options: CliOptions & { readonly output?: string },
  folder: string,
  output: Output,
): Promise<ExitCode> {
  const { compileFolder, createNodeFileSystem } = await import('../../runtime/index.ts');
  const from =
    inHome(folder === '' ? undefined : folder) ?? join(resolve(options.workspace), '.pincer', 'hooks');
  const to = inHome(options.output) ?? join(dirname(from), 'dist', basename(from));
  const made = await compileFolder({
    fs: createNodeFileSystem(),
    workspace: resolve(options.workspace),
    from,
    to,
  });
  if (options.json === true) {
    output.out(toJson({ output: to, ...made }));
    return exitCodes.ok;
  }
  const { compiled, copied } = made;
  const more = copied.length === 0 ? '' : `, and ${plural(copied.length, 'copied file')}`;
  output.out(
    `${relative(process.cwd(), to)} holds ${plural(compiled.length, 'file')} of JavaScript${more}.\n`,
  );
  return exitCodes.ok;
}

function inHome(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(path);
}

const bundleMark = 'made by `pincer bundle`';

/** A slip of the keyboard must not cost a file of the user's. */
async function refuseOtherFile(fs: FileSystem, target: string): Promise<void> {
  const there = await fs.stat(target);
  if (there === undefined) return;
  if (there.kind === 'file') {
    const start = new TextDecoder().decode(await fs.readRange(target, 0, 200));
    if (start.includes(bundleMark)) return;
  }
  throw new PincerError('output_exists', `${target} already exists and is not a bundle.`, {
    hint: 'Name another file with --output, or remove this one.',
  });
}
