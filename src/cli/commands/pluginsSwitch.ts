import type { DiagnosticFix } from '../../contracts/diagnostic.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertFact } from '../inert.ts';
import { toJson, type Output } from '../output.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { findPlugin } from './pluginsFind.ts';
import { describeConsent } from './pluginsText.ts';

interface EnableOptions extends CliOptions {
  readonly allowConversation?: boolean;
  readonly allowPromptInjection?: boolean;
  /** Also what was not shown when it was enabled. */
  readonly allowRegistrations?: boolean;
  /** The exclusive slot that it is to fill, such as `memory`. */
  readonly slot?: string;
}

/** `pincer plugins enable <id>`. Succeeds where the plugin is then loaded. */
export async function runPluginsEnable(
  options: EnableOptions,
  id: string,
  output: Output,
): Promise<ExitCode> {
  return await switchPlugin(options, id, true, fixesOf(options, id), output);
}

/** `pincer plugins disable <id>`. Succeeds where the plugin is then not loaded. */
export async function runPluginsDisable(options: CliOptions, id: string, output: Output): Promise<ExitCode> {
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
