import { Option, type Command } from 'commander';
import { join, relative, resolve } from 'node:path';
import { starterTitles, type StarterKind } from '../../plugins/scaffold/starters.ts';
import { type ExitCode, exitCodes } from '../exitCodes.ts';
import { type Output, toJson, toTable } from '../output.ts';
import { type CliOptions, withRuntime } from '../withRuntime.ts';
import { runPluginsDoctor } from './pluginsDoctor.ts';
import { runPluginsInspect, type InspectOptions, ownNames } from './pluginsInspect.ts';
import { runPluginsInstall } from './pluginsInstall.ts';
import { describeConsent } from './pluginsText.ts';
import { PincerError } from '../../base/errors.ts';
import type { PluginsConfig } from '../../config/mergeConfig.ts';
import { inertFact } from '../inert.ts';
import { confirmInTerminal, type ConfirmOptions } from './pluginsConfirm.ts';
import type { DiagnosticFix } from '../../contracts/diagnostic.ts';
import { findPlugin } from './pluginsFind.ts';

type Action = (options: CliOptions, argument: string) => Promise<ExitCode>;

/** Adds `pincer plugins …`. `act` makes a commander action of a command; its argument is empty where it takes none. */
export function addPluginsCommands(
  program: Command,
  act: (action: Action) => (...given: unknown[]) => Promise<void>,
  output: Output,
): void {
  const plugins = program.command('plugins').description('list, inspect, enable, install and create plugins');
  const agentFile = (): Option =>
    new Option(
      '--agent-file <file>',
      'agent file whose plugins are used instead of those of the workspace or your config',
    );
  plugins
    .command('list')
    .description('list plugins with their state and problems')
    .addOption(agentFile())
    .action(act((options) => runPluginsList(options, output)));
  plugins
    .command('inspect <id-or-path>')
    .description('show details of a plugin; a plugin given by path is loaded by itself, which runs its code')
    .option('--config <json-or-file>', 'settings for a plugin on disk')
    .option('--no-conversation', 'load a plugin on disk without conversation access')
    .addOption(agentFile())
    .action(act((options, target) => runPluginsInspect(options as InspectOptions, target, output)));
  plugins
    .command('enable <id>')
    .description('enable a plugin; for a workspace plugin, this is your consent to its current files')
    .option('--allow-conversation', 'also allow conversation access')
    .option('--allow-prompt-injection', 'also allow prompt injection')
    .option('--allow-registrations', 'also allow registrations that were not shown when you enabled it')
    .option('--slot <slot>', 'also assign it an exclusive slot, such as memory')
    .addOption(agentFile())
    .action(act((options, id) => runPluginsEnable(options, id, output)));
  plugins
    .command('disable <id>')
    .description('disable a plugin')
    .addOption(agentFile())
    .action(act((options, id) => runPluginsDisable(options, id, output)));
  plugins
    .command('forget <id>')
    .description('remove the record of a plugin that this workspace no longer has')
    .action(act((options, id) => runPluginsForget(options, id, output)));
  plugins
    .command('reset-consents')
    .description('set a damaged consent file aside; every workspace plugin asks for consent again')
    .action(act((options) => runResetConsents(options, output)));
  plugins
    .command('doctor')
    .description('diagnose problems of plugins, and suggest fixes')
    .option('--fix', 'apply the fixes that need no confirmation')
    .addOption(agentFile())
    .action(act((options) => runPluginsDoctor(options, output)));
  plugins
    .command('new <id>')
    .description('create a TypeScript plugin from a template, with a test')
    .addOption(new Option('--kind <kind>', 'template').choices(Object.keys(starterTitles)).default('tool'))
    .option('--name <name>', 'display name')
    .option('--description <text>', 'what it does')
    .option('--dir <folder>', 'folder to create; default: .pincer/plugins/<id> of the workspace')
    .action(act((options, id) => runPluginsNew(options as NewOptions, id, output)));
  plugins
    .command('install <folder-or-tgz>')
    .description('scan a plugin, ask for confirmation, and install it for all your workspaces')
    .option('-y, --yes', 'skip the confirmation')
    .action(act((options, source) => runPluginsInstall(options, source, output)));
  plugins
    .command('uninstall <id>')
    .description('remove an installed plugin')
    .option('-y, --yes', 'skip the confirmation')
    .action(act((options, id) => runPluginsUninstall(options, id, output)));
}

/** `pincer plugins list`: every plugin, what it brought, and what is wrong. */
export async function runPluginsList(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, (runtime, problems) => {
    const plugins = runtime.plugins.plugins();
    const diagnostics = runtime.workspace.diagnostics();
    // The table says it for each plugin that is off.
    problems.show(diagnostics.filter(({ code }) => code !== 'plugin_disabled'));
    if (options.json === true) output.out(toJson({ plugins, diagnostics }));
    else if (plugins.length === 0) output.out('No plugins found.\n');
    else {
      output.out(toTable(plugins.map((each) => [each.id, each.origin, each.status, each.reason])));
      for (const plugin of plugins) {
        if (plugin.needsConsent !== undefined) output.out(describeConsent(plugin));
      }
    }
    return Promise.resolve(exitCodes.ok);
  });
}

interface NewOptions extends CliOptions {
  readonly kind: StarterKind;
  readonly name?: string;
  readonly description?: string;
  /** The folder to make; default: by its id, below `.pincer/plugins` of the workspace. */
  readonly dir?: string;
}

/** `pincer plugins new <id>`: a TypeScript plugin that works, with a test that runs. */
async function runPluginsNew(options: NewOptions, id: string, output: Output): Promise<ExitCode> {
  const { createNodeFileSystem, checkPluginId, writeScaffold } = await import('../../runtime/index.ts');
  const wrong = checkPluginId(id, (await ownNames()).coreToolNames);
  if (wrong !== undefined) throw new PincerError('plugin_id_invalid', wrong);
  const workspace = resolve(options.workspace);
  const folder = options.dir === undefined ? join(workspace, '.pincer', 'plugins', id) : resolve(options.dir);
  const target = { fs: createNodeFileSystem(), folder, dist: import.meta.dirname };
  const { kind, name = id, description = '' } = options;
  const files = await writeScaffold(target, { id, name, description, kind });
  if (options.json === true) output.out(toJson({ id, folder, files }));
  else output.out(describeNew(id, folder, files));
  return exitCodes.ok;
}

function describeNew(id: string, folder: string, files: readonly string[]): string {
  const here = relative(process.cwd(), folder) || '.';
  return [
    `${id} is in ${here}:`,
    ...files.map((file) => `  ${relative(folder, file)}`),
    '',
    `Test it:    cd ${here} && node --test`,
    `Look at it: pincer plugins inspect ${here}`,
    `Run it:     pincer plugins enable ${id}`,
    '',
  ].join('\n');
}

/** `pincer plugins uninstall <id>`: removes what `install` has put there. */
async function runPluginsUninstall(
  options: CliOptions & ConfirmOptions,
  id: string,
  output: Output,
): Promise<ExitCode> {
  const { loadConfig, uninstallPlugin } = await import('../../runtime/index.ts');
  return await withRuntime(options, output, async (runtime) => {
    const { fs } = runtime.host;
    const removed = await uninstallPlugin(
      {
        fs,
        home: runtime.workspace.home,
        others: runtime.plugins.plugins(),
        confirm: async ({ record, folder }) => {
          const version = record.pluginVersion === undefined ? '' : ` ${record.pluginVersion}`;
          const what = `${id}${version} in ${folder}, installed ${record.installedAt} from ${record.source}`;
          output.err(`${inertFact(what)}\n`);
          return await confirmInTerminal(options, `Remove ${id}?`);
        },
      },
      id,
    );
    if (removed) await runtime.workspace.reloadConfig();
    const { config } = await loadConfig(fs, { home: runtime.workspace.home, folders: [] });
    const configKeys = removed ? keysNaming(config.plugins, id) : [];
    if (options.json === true) output.out(toJson({ id, removed, configKeys }));
    else output.out(removed ? describeRemoved(id, configKeys) : 'Nothing was removed.\n');
    return removed ? exitCodes.ok : exitCodes.cancelled;
  });
}

/** Keys of the user's config that speak of the plugin; they stay, in case it comes back. */
function keysNaming({ entries, allow, deny, slots }: PluginsConfig, id: string): readonly string[] {
  const filled = Object.entries(slots).filter(([, holder]) => holder === id);
  return [
    ...(Object.hasOwn(entries, id) ? [`plugins.entries.${id}`] : []),
    ...(allow.includes(id) ? ['plugins.allow'] : []),
    ...(deny.includes(id) ? ['plugins.deny'] : []),
    ...filled.map(([slot]) => `plugins.slots.${slot}`),
  ];
}

function describeRemoved(id: string, configKeys: readonly string[]): string {
  const rest = configKeys.length === 0 ? '' : `Your config still mentions it: ${configKeys.join(', ')}\n`;
  return `${id} is removed. What it has stored for itself stays.\n${rest}`;
}

/**
 * `pincer plugins forget <id>`: turns go on without a guard that this workspace has no more.
 * @throws PincerError `nothing_to_forget`
 */
async function runPluginsForget(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
  const isMeant = (fix: DiagnosticFix): boolean => fix.kind === 'forget-plugin' && fix.pluginId === id;
  const none = new PincerError('nothing_to_forget', `No plugin ${id} is missing in this workspace.`, {
    hint: 'pincer plugins doctor lists the missing ones.',
  });
  return await applyOnly(options, output, { isMeant, none, done: `${id} is forgotten` });
}

/**
 * `pincer plugins reset-consents`: puts a file of consents that can't be read aside.
 * @throws PincerError `consents_in_order`
 */
async function runResetConsents(options: CliOptions, output: Output): Promise<ExitCode> {
  const isMeant = ({ kind }: DiagnosticFix): boolean => kind === 'reset-consents';
  const none = new PincerError('consents_in_order', 'The consent file is not damaged: nothing was changed.', {
    hint: 'pincer plugins disable <id> stops one plugin.',
  });
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

interface EnableOptions extends CliOptions {
  readonly allowConversation?: boolean;
  readonly allowPromptInjection?: boolean;
  /** Also what was not shown when it was enabled. */
  readonly allowRegistrations?: boolean;
  /** The exclusive slot that it is to fill, such as `memory`. */
  readonly slot?: string;
}

/** `pincer plugins enable <id>`. Succeeds where the plugin is then loaded. */
async function runPluginsEnable(options: EnableOptions, id: string, output: Output): Promise<ExitCode> {
  return await switchPlugin(options, id, true, fixesOf(options, id), output);
}

/** `pincer plugins disable <id>`. Succeeds where the plugin is then not loaded. */
async function runPluginsDisable(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
  return await switchPlugin(options, id, false, [], output);
}

async function switchPlugin(
  options: EnableOptions,
  id: string,
  isEnabled: boolean,
  fixes: readonly DiagnosticFix[],
  output: Output,
): Promise<ExitCode> {
  return await withRuntime(options, output, async (runtime) => {
    // Of two with this id, what is enabled is the one that waits for consent; it is also the one to show.
    const waiting = runtime.plugins
      .plugins()
      .find((each) => each.id === id && each.needsConsent !== undefined);
    const before = waiting ?? findPlugin(runtime, id);
    if (isEnabled && before.needsConsent !== undefined) output.err(describeConsent(before));
    await runtime.plugins.setEnabled(id, isEnabled, before.needsConsent?.hash);
    for (const fix of fixes) await runtime.workspace.applyFix(fix);
    const more = options.allowRegistrations === true ? findPlugin(runtime, id).heldBack : [];
    if (more.length > 0) {
      output.err(`${inertFact(`${id} may register: ${more.join(', ')}`)}\n`);
      await runtime.workspace.applyFix({ kind: 'allow-registrations', pluginId: id, names: more });
    }
    const plugin = findPlugin(runtime, id);
    if (options.json === true) output.out(toJson({ plugin, diagnostics: runtime.workspace.diagnostics() }));
    else output.out(`${inertFact(`${id}: ${plugin.status} (${plugin.reason})`)}\n`);
    return (plugin.status === 'loaded') === isEnabled ? exitCodes.ok : exitCodes.failed;
  });
}

function fixesOf(
  { allowConversation, allowPromptInjection, slot }: EnableOptions,
  pluginId: string,
): readonly DiagnosticFix[] {
  return [
    ...(allowConversation === true ? [{ kind: 'allow-conversation-access', pluginId } as const] : []),
    ...(allowPromptInjection === true ? [{ kind: 'allow-prompt-injection', pluginId } as const] : []),
    ...(slot === undefined ? [] : [{ kind: 'choose-slot', slot, pluginId } as const]),
  ];
}
