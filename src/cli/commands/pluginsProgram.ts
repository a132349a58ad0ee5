import { Option, type Command } from 'commander';
import { starterTitles } from '../../plugins/scaffold/starters.ts';
import type { ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';
import { runPluginsForget, runResetConsents } from './pluginsRemedies.ts';
import { runPluginsDoctor } from './pluginsDoctor.ts';
import { runPluginsInspect, type InspectOptions } from './pluginsInspect.ts';
import { runPluginsInstall } from './pluginsInstall.ts';
import { runPluginsList } from './pluginsList.ts';
import { runPluginsNew, type NewOptions } from './pluginsNew.ts';
import { runPluginsDisable, runPluginsEnable } from './pluginsSwitch.ts';
import { runPluginsUninstall } from './pluginsUninstall.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer plugins …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addPluginsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const plugins = program.command('plugins').description('look at, switch, install and make plugins');
  plugins
    .command('list')
    .description('list plugins with their state and problems')
    .action(act((options) => runPluginsList(options, output)));
  plugins
    .command('inspect <id-or-path>')
    .description('say all about a plugin; one on disk is loaded alone, which runs its code')
    .option('--config <json-or-file>', 'settings for a plugin on disk')
    .option('--no-conversation', 'grant a plugin on disk no conversation access')
    .action(act((options, target) => runPluginsInspect(options as InspectOptions, target, output)));
  plugins
    .command('enable <id>')
    .description('let a plugin run; for a workspace plugin this is your consent to its present files')
    .option('--allow-conversation', 'also let it read what is said')
    .option('--allow-prompt-injection', 'take back that it may not change prompts')
    .option('--allow-registrations', 'also let it register what was not shown when you enabled it')
    .option('--slot <slot>', 'also let it fill an exclusive slot, such as memory')
    .action(act((options, id) => runPluginsEnable(options, id, output)));
  plugins
    .command('disable <id>')
    .description('keep a plugin from running')
    .action(act((options, id) => runPluginsDisable(options, id, output)));
  plugins
    .command('forget <id>')
    .description('go on without a plugin that this workspace had and has no more')
    .action(act((options, id) => runPluginsForget(options, id, output)));
  plugins
    .command('reset-consents')
    .description('put a damaged file of consents aside; every workspace plugin is asked about again')
    .action(act((options) => runResetConsents(options, output)));
  plugins
    .command('doctor')
    .description('find what is wrong with plugins, and say what to do')
    .option('--fix', 'do what can be done unasked')
    .action(act((options) => runPluginsDoctor(options, output)));
  plugins
    .command('new <id>')
    .description('make a new TypeScript plugin, with a test that runs')
    .addOption(
      new Option('--kind <kind>', 'what it begins with').choices(Object.keys(starterTitles)).default('tool'),
    )
    .option('--name <name>', 'its name for people')
    .option('--description <text>', 'what it does')
    .option('--dir <folder>', 'the folder to make; default: .pincer/plugins/<id> of the workspace')
    .action(act((options, id) => runPluginsNew(options as NewOptions, id, output)));
  plugins
    .command('install <folder-or-tgz>')
    .description('scan a plugin, ask, and install it for you in all workspaces')
    .option('-y, --yes', 'do not ask')
    .action(act((options, source) => runPluginsInstall(options, source, output)));
  plugins
    .command('uninstall <id>')
    .description('remove an installed plugin')
    .option('-y, --yes', 'do not ask')
    .action(act((options, id) => runPluginsUninstall(options, id, output)));
}
