import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { plural } from '../../base/text.ts';
import type { DoctorProblem, DoctorReport } from '../../plugins/inspect/planDoctorReport.ts';
import type { DoctorFacts } from '../../plugins/inspect/checkPlugins.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact, inertMessage } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

interface DoctorOptions extends CliOptions {
  /** Carries out what can be done unasked. */
  readonly fix?: boolean;
}

/** `pincer plugins doctor`: every problem with its remedy. Fails where errors remain. */
export async function runPluginsDoctor(options: DoctorOptions, output: Output): Promise<ExitCode> {
  const { planDoctorReport } = await import('../../runtime/index.ts');
  // The report says it all; the same on standard error would be read twice.
  const quiet: Output = options.verbose === true ? output : { out: output.out, err: () => undefined };
  return await withRuntime(options, quiet, async (runtime) => {
    let facts = await collectFacts(runtime);
    const fixed = options.fix === true ? await applySafeFixes(runtime, facts, planDoctorReport(facts)) : [];
    if (fixed.length > 0) facts = await collectFacts(runtime);
    const report = planDoctorReport(facts);
    output.out(options.json === true ? toJson({ ...report, fixed }) : describeReport(report, fixed));
    return report.errors === 0 ? exitCodes.ok : exitCodes.failed;
  });
}

async function collectFacts(runtime: Runtime): Promise<DoctorFacts> {
  const { loadConfig, createConsentStore, readConsents, findLeftovers, findLostConsents } =
    await import('../../runtime/index.ts');
  const { host } = runtime;
  const { home } = runtime.workspace;
  // First: the tool factories run here, and what they do wrong is reported.
  const catalog = runtime.tools.catalogFor(runtime.conversations.create());
  const plugins = runtime.plugins.plugins();
  const { config } = await loadConfig(host.fs, { home, folders: runtime.workspace.folders() });
  const { consents, seen } = await readConsents(createConsentStore(host.fs, home), host.fs);
  // A guard that is gone is missed until the user says otherwise.
  const guards = new Set(seen.filter((each) => each.guards).map(({ id }) => id));
  const lost = await findLostConsents(host.fs, consents, plugins);
  const lostConsents = lost.filter(({ id }) => !guards.has(id));
  const known = [...plugins, ...consents.filter((consent) => !lostConsents.includes(consent))];
  return {
    plugins,
    diagnostics: [...runtime.workspace.diagnostics(), ...catalog.diagnostics()],
    config: config.plugins,
    lostConsents,
    leftovers: await findLeftovers(host.fs, { home, stateFolder: runtime.workspace.stateFolder }, known),
    hiddenTools: catalog
      .hidden()
      .flatMap(({ name, owner, reason }) =>
        owner.kind === 'plugin' ? [{ name, reason, pluginId: owner.pluginId }] : [],
      ),
  };
}

/** Gives what was done, one line each. */
async function applySafeFixes(
  runtime: Pick<Runtime, 'host' | 'workspace'>,
  { lostConsents, leftovers }: DoctorFacts,
  { groups }: DoctorReport,
): Promise<readonly string[]> {
  const { createConsentStore, isSafeFix } = await import('../../runtime/index.ts');
  const { host } = runtime;
  const { home } = runtime.workspace;
  const fixes = groups
    .flatMap(({ problems }) => problems.flatMap((each) => each.fixes ?? []))
    .filter(isSafeFix);
  const reloaded = [...new Set(fixes.map(({ pluginId }) => pluginId))];
  for (const pluginId of reloaded) await runtime.workspace.applyFix({ kind: 'reload-plugin', pluginId });
  const consents = createConsentStore(host.fs, home);
  for (const { id } of lostConsents) await consents.revoke(id);
  for (const folder of leftovers) await host.fs.remove(folder);
  return [
    ...reloaded.map((id) => `tried to load ${id} again`),
    ...lostConsents.map(({ id, rootDir }) => `forgot the consent for ${id} of ${rootDir}`),
    ...leftovers.map((folder) => `removed ${folder}`),
  ];
}

function describeReport({ groups, errors, warnings }: DoctorReport, fixed: readonly string[]): string {
  const counts = `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  return [
    ...fixed.map((line) => `Fixed: ${inertFact(line)}\n`),
    ...groups.map(
      ({ pluginId, problems }) =>
        `${inertFact(pluginId ?? 'Everything else')}\n${problems.map(describeProblem).join('')}`,
    ),
    groups.length === 0 ? 'No problems found.\n' : `${counts}\n`,
  ].join('\n');
}

function describeProblem(problem: DoctorProblem): string {
  const commands = problem.commands.map((command) => `      ${inertFact(command)}\n`).join('');
  return `  ${problem.level}: ${inertMessage(describeDiagnostic(problem))}\n${commands}`;
}
