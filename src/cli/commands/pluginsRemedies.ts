import { PincerError } from '../../base/errors.ts';
import type { DiagnosticFix } from '../../contracts/diagnostic.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/**
 * `pincer plugins forget <id>`: turns go on without a guard that this workspace has no more.
 * @throws PincerError `nothing_to_forget`
 */
export async function runPluginsForget(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
  const isMeant = (fix: DiagnosticFix): boolean => fix.kind === 'forget-plugin' && fix.pluginId === id;
  const none = new PincerError('nothing_to_forget', `No plugin ${id} is missed in this workspace.`, {
    hint: 'pincer plugins doctor names what is missed.',
  });
  return await applyOnly(options, output, { isMeant, none, done: `${id} is forgotten` });
}

/**
 * `pincer plugins reset-consents`: puts a file of consents that can't be read aside.
 * @throws PincerError `consents_in_order`
 */
export async function runResetConsents(options: CliOptions, output: Output): Promise<ExitCode> {
  const isMeant = ({ kind }: DiagnosticFix): boolean => kind === 'reset-consents';
  const none = new PincerError(
    'consents_in_order',
    'The file of consents can be read: nothing was changed.',
    {
      hint: 'pincer plugins disable <id> stops one plugin.',
    },
  );
  return await applyOnly(options, output, { isMeant, none, done: 'The consents begin anew' });
}

interface Remedy {
  readonly isMeant: (fix: DiagnosticFix) => boolean;
  /** Thrown where nothing calls for it. */
  readonly none: PincerError;
  readonly done: string;
}

async function applyOnly(
  options: CliOptions,
  output: Output,
  { isMeant, none, done }: Remedy,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    const fix = runtime.workspace
      .diagnostics()
      .flatMap(({ fixes = [] }) => fixes)
      .find(isMeant);
    if (fix === undefined) throw none;
    await runtime.workspace.applyFix(fix);
    output.out(options.json === true ? toJson({ done, fix }) : `${inertFact(done)}\n`);
    return exitCodes.ok;
  });
}
