import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApprovalMode } from '../approvals/decideMode.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { pincerHome } from '../config/configPaths.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { takeTokens, type TokenVariables } from '../gateway/gatewayToken.ts';
import { createInMemorySecrets } from '../host/createInMemorySecrets.ts';
import type { Log } from '../host/ports.ts';
import type { Runtime } from '../runtime/index.ts';
import { createProblemReport, isNews, type ProblemReport } from './createProblemReport.ts';
import type { ExitCode } from './exitCodes.ts';
import { keepStdoutClean } from './keepStdoutClean.ts';
import type { Output } from './output.ts';
import { tenantOf, type TenantOptions } from './tenantOptions.ts';

/** The options that every command takes. */
export interface CliOptions extends TenantOptions {
  readonly workspace: string;
  readonly stateDir?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  /** `allow` is the older name of `full`. */
  readonly approve?: ApprovalMode | 'allow';
  /** Nobody is asked, whatever the terminal is. */
  readonly isUnattended?: boolean;
  /** The gateway starts with the runtime: plugins are told its port from the beginning. */
  readonly servesGateway?: boolean;
  /** A bundle in place of the agent file. */
  readonly bundle?: string;
  /** An agent file in place of that of the workspace or the config. */
  readonly agentFile?: string;
}

/**
 * Opens the same runtime as the editor's on one folder for the time of `work`. Problems of config and plugins are said as they
 * come up.
 */
export async function withRuntime(
  options: CliOptions,
  output: Output,
  work: (runtime: Runtime, problems: ProblemReport) => Promise<ExitCode>,
): Promise<ExitCode> {
  const problems = createProblemReport(output, options.verbose === true);
  const clean = options.json === true ? keepStdoutClean() : undefined;
  try {
    const tenant = tenantOf(options);
    const canAsk = options.isUnattended !== true && process.stdin.isTTY && process.stderr.isTTY;
    const runtime = await openRuntime({ ...options, canAsk }, problems.log, takeTokens(process.env));
    const showNew = (): void => problems.show(runtime.workspace.diagnostics().filter(isNews));
    try {
      showNew();
      runtime.workspace.onDidChange(showNew);
      const run = (): Promise<ExitCode> => work(runtime, problems);
      return await (tenant === undefined ? run() : runtime.conversations.withTenant(tenant, run));
    } catch (error) {
      throw await withRemedy(error, runtime.workspace.problem(), options);
    } finally {
      await runtime.stop('shutdown');
      // With the plugins gone, only what failed as they went is a problem.
      const left = runtime.workspace.diagnostics();
      problems.show(left.filter(({ code }) => code === 'plugin_cleanup_failed'));
    }
  } catch (error) {
    problems.said(errorMessage(error));
    throw error;
  } finally {
    problems.close();
    clean?.dispose();
  }
}

/** Of a plugin that waits for consent: an error that also says which command gives it. Every other one as it is. */
async function withRemedy(
  error: unknown,
  problem: Diagnostic | undefined,
  { workspace, agentFile }: CliOptions,
): Promise<unknown> {
  if (!(error instanceof PincerError) || error.code !== 'agent_stopped') return error;
  const fix = problem?.fixes?.find(({ kind }) => kind === 'enable-plugin');
  if (fix === undefined) return error;
  const { commandFor } = await import('../runtime/index.ts');
  const command = commandFor(fix, [
    ...(workspace === '.' ? [] : ['--workspace', workspace]),
    ...(agentFile === undefined ? [] : ['--agent-file', agentFile]),
  ]);
  const { code, message, hint = '', cause, source, line } = error;
  return new PincerError(code, message, {
    hint: `${hint} This enables it: ${command ?? ''}`.trim(),
    cause,
    ...(source === undefined ? {} : { source }),
    ...(line === undefined ? {} : { line }),
  });
}

/**
 * Opens the runtime on one folder. `tokens` are those of its gateway, which does not run without.
 * @throws PincerError `workspace_missing`, `bundle_missing`, `bundle_unreadable`, `bundle_invalid`, `runtime_unknown`
 */
export async function openRuntime(
  options: CliOptions & { readonly canAsk: boolean },
  log: Log,
  tokens: TokenVariables = {},
): Promise<Runtime> {
  const { createDiskFiles, createNodeHost, createRuntime, environmentMcpToken, environmentToken } =
    await import('../runtime/index.ts');
  const host = createNodeHost({ secrets: createInMemorySecrets(), log });
  const folder = resolve(options.workspace);
  if ((await host.fs.stat(folder))?.kind !== 'directory') {
    throw new PincerError('workspace_missing', `There is no folder ${folder}.`, {
      hint: 'Name one with --workspace.',
    });
  }
  // There no user has a home, and only the temporary folder is sure to be written.
  const scratch = isServerless(host.env, options) ? await openScratch() : undefined;
  const home = resolve(pincerHome(host.env, scratch ?? homedir()));
  return await createRuntime({
    host,
    home,
    stateFolder: stateFolderOf(options, scratch ?? home),
    dist: import.meta.dirname,
    surface: 'cli',
    folders: [folder],
    isTrusted: true,
    ...(options.approve === undefined
      ? {}
      : { approve: options.approve === 'allow' ? ('full' as const) : options.approve }),
    ...(options.bundle === undefined ? {} : { bundle: resolve(options.bundle) }),
    ...(options.agentFile === undefined ? {} : { agentFile: resolve(options.agentFile) }),
    canAsk: options.canAsk,
    reservedCommands: ['tool'],
    files: createDiskFiles(host.fs),
    gateway: {
      token: () => environmentToken(tokens),
      mcpToken: environmentMcpToken(tokens),
      ...(options.servesGateway === true ? { startsBy: 'runtime' } : {}),
    },
    fileLink: (path, line) => (line === undefined ? path : `${path}:${String(line)}`),
  });
}

/** Where the state of a workspace is; absolute. */
export function stateFolderOf(
  { workspace, stateDir }: Pick<CliOptions, 'workspace' | 'stateDir'>,
  home: string,
): string {
  return resolve(stateDir ?? join(home, 'state', folderHash(resolve(workspace))));
}

/**
 * What `DEXTO_RUNTIME` says (Dexto plugin specification, Modified Plugin Loader): `serverless` takes plugins from a bundle alone, and
 * reads no agent file of the machine.
 * @throws PincerError `runtime_unknown`, `bundle_missing`
 */
function isServerless(env: NodeJS.ProcessEnv, { bundle, agentFile }: CliOptions): boolean {
  const { DEXTO_RUNTIME: said = '' } = env;
  if (said === '') return false;
  if (said !== 'serverless')
    throw new PincerError('runtime_unknown', `DEXTO_RUNTIME is ${said}, which is not a known runtime.`, {
      hint: 'Set it to serverless, or unset it.',
    });
  if (bundle === undefined || agentFile !== undefined)
    throw new PincerError(
      'bundle_missing',
      'DEXTO_RUNTIME is serverless, where plugins come from a bundle alone.',
      {
        hint: 'Name the file that pincer bundle has made with --bundle, and no agent file; or take DEXTO_RUNTIME away.',
      },
    );
  return true;
}

/**
 * Threat: whoever else is on the machine makes the folder first, and with it the config that counts as the user's.
 * @throws PincerError `home_unsafe`
 */
async function openScratch(): Promise<string> {
  const user = process.getuid?.();
  const folder = join(tmpdir(), user === undefined ? 'pincer' : `pincer-${String(user)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOwn = user === undefined || (found.uid === user && (found.mode & 0o022) === 0);
  if (found.isDirectory() && isOwn) return folder;
  throw new PincerError('home_unsafe', `${folder} is a link, or others may write to it.`, {
    hint: 'Remove it, or name a folder of your own in PINCER_HOME and --state-dir.',
  });
}

/** Names a workspace where its path can't: its state, and the one chat that the command line has in it. */
export function folderHash(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}
