import { plural } from '../../base/text.ts';
import type { InstallOutcome } from '../../plugins/install/installPlugin.ts';
import type { InstallChange, InstallProposal } from '../../plugins/install/planInstall.ts';
import type { PluginRecord } from '../../plugins/pluginTypes.ts';
import { inertFact } from '../inert.ts';
import { describeAsks } from './pluginsText.ts';

/** What the user is about to agree to. */
export function describeProposal(proposal: InstallProposal): string {
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
export function describeOutcome(outcome: InstallOutcome, plugin: PluginRecord | undefined): string {
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
