import { resolve } from 'node:path';
import type { InstallOutcome } from '../../plugins/install/installPlugin.ts';
import type { InstallProposal, InstallChange } from '../../plugins/install/planInstall.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';
import { plural } from '../../base/text.ts';
import { inertFact } from '../inert.ts';
import { describeAsks } from './pluginsText.ts';

type InstallOptions = CliOptions & ConfirmOptions;

/** `pincer plugins install <folder or .tgz>`. Succeeds where the plugin is then installed and not broken. */
export async function runPluginsInstall(
  options: InstallOptions,
  source: string,
  output: Output,
): Promise<ExitCode> {
  const { installPlugin, createConsentStore } = await import('../../runtime/index.ts');
  return await withRuntime(options, output, async (runtime) => {
    const { fs, clock } = runtime.host;
    const outcome = await installPlugin(
      {
        fs,
        clock,
        surface: 'cli',
        home: runtime.workspace.home,
        hooks: runtime.plugins.hooks,
        consents: createConsentStore(fs, runtime.workspace.home),
        others: runtime.plugins.plugins(),
        confirmDependencies: (id, names) =>
          confirmInTerminal(
            options,
            `${id} needs ${names.join(', ')}. Fetch with npm install --ignore-scripts?`,
          ),
        confirm: async (proposal) => {
          output.err(describeProposal(proposal));
          return await confirmInTerminal(options, question(proposal));
        },
        tryOut: async (id) => {
          await runtime.workspace.reloadConfig();
          return pluginOf(runtime, id)?.error;
        },
      },
      resolve(source),
    );
    if (outcome.kind === 'rolled-back') await runtime.workspace.reloadConfig();
    const plugin = pluginOf(runtime, idOf(outcome));
    output.out(
      options.json === true ? toJson(toValue(outcome, plugin, runtime)) : describeOutcome(outcome, plugin),
    );
    return exitCodeOf(outcome, plugin);
  });
}

function question({ id, change }: InstallProposal): string {
  return change.kind === 'new' ? `Install ${id}?` : `Replace ${id}?`;
}

function idOf(outcome: InstallOutcome): string {
  return outcome.kind === 'blocked' ? outcome.id : outcome.proposal.id;
}

/** The one that lies where installed plugins do, else whichever has the id. */
function pluginOf(runtime: Pick<Runtime, 'plugins'>, id: string): PluginRecord | undefined {
  const own = runtime.plugins.plugins().filter((each) => each.id === id);
  return own.find(({ origin }) => origin === 'global') ?? own[0];
}

function toValue(
  outcome: InstallOutcome,
  plugin: PluginRecord | undefined,
  runtime: Pick<Runtime, 'workspace'>,
): object {
  return {
    outcome,
    ...(plugin === undefined ? {} : { plugin }),
    diagnostics: runtime.workspace.diagnostics(),
  };
}

function exitCodeOf(outcome: InstallOutcome, plugin: PluginRecord | undefined): ExitCode {
  switch (outcome.kind) {
    case 'installed':
    case 'unchanged':
      return plugin?.error === undefined ? exitCodes.ok : exitCodes.failed;
    case 'blocked':
      return exitCodes.blocked;
    case 'declined':
      return exitCodes.cancelled;
    case 'rolled-back':
      return exitCodes.failed;
  }
}

/** What the user is about to agree to. */
function describeProposal(proposal: InstallProposal): string {
  const { description, source, folder, change, scan, findings } = proposal;
  const size = `${(scan.size / 1000).toFixed(1)} kB in ${plural(scan.fileCount, 'file')}`;
  return [
    `${titleOf(proposal)}${describeChange(change)}`,
    ...(description === undefined ? [] : [`  ${inertFact(description)}`]),
    `  from ${inertFact(source)}, ${size}`,
    `  to ${inertFact(folder)}`,
    'It runs with your rights, outside any sandbox. What its files show:',
    ...describeAsks(scan.asks),
    ...findings.map(({ severity, message, file, line }) => {
      const place = file === '' ? '' : ` (${file}:${String(line)})`;
      return `  ${severity}: ${inertFact(`${message}${place}`)}`;
    }),
    '',
  ].join('\n');
}

/** What has become of it. */
function describeOutcome(outcome: InstallOutcome, plugin: PluginRecord | undefined): string {
  switch (outcome.kind) {
    case 'installed': {
      const state = plugin === undefined ? 'not found' : `${plugin.status} (${inertFact(plugin.reason)})`;
      const { proposal } = outcome;
      return `${titleOf(proposal)} is installed${describeChange(proposal.change)}: ${state}\n`;
    }
    case 'unchanged':
      return `${titleOf(outcome.proposal)} is installed already, with exactly these files.\n`;
    case 'declined':
      return 'Nothing was installed.\n';
    case 'blocked':
      return `${inertFact(`Plugin ${outcome.by} does not let ${outcome.id} be installed: ${outcome.reason}`)}\n`;
    case 'rolled-back':
      return `${titleOf(outcome.proposal)} does not load: ${inertFact(outcome.reason)}\nThe version before it is back.\n`;
  }
}

function titleOf({ id, version }: InstallProposal): string {
  return inertFact(version === undefined ? id : `${id} ${version}`);
}

function describeChange({ kind, from = 'another version' }: InstallChange): string {
  switch (kind) {
    case 'new':
      return '';
    case 'update':
      return ` in place of ${inertFact(from)}`;
    case 'downgrade':
      return `, which is OLDER, in place of ${inertFact(from)}`;
    case 'other-files':
      return ' in place of the same version with other files';
  }
}
