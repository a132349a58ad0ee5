import type { Disposable } from '../base/disposable.ts';
import { userHomeOf } from '../config/configPaths.ts';
import type { HooksConfig } from '../config/mergeConfig.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Host } from '../host/ports.ts';
import type { ConsentStore } from '../plugins/consent/consentStore.ts';
import { createModuleLoader } from '../plugins/load/createModuleLoader.ts';
import type { InternalEvents } from '../plugins/operatorHooks/createInternalEvents.ts';
import { createOperatorHooks, type OperatorHooks } from '../plugins/operatorHooks/createOperatorHooks.ts';
import { infoDiagnostic, warnDiagnostic } from '../plugins/pluginDiagnostics.ts';
import type { PluginInternalHook, PluginManager } from '../plugins/pluginManager.ts';

/** Operator hooks and the internal events that they and plugins listen to. */
export interface OperatorSide extends Disposable {
  readonly hooks: OperatorHooks;
  /** Which hooks of plugins the config keeps from running. */
  diagnostics(): readonly Diagnostic[];
  /** Loads the hooks, and lets plugins listen that are loaded now. */
  load(input: {
    readonly roots: readonly string[];
    readonly trusted: boolean;
    readonly config: HooksConfig;
    readonly hostConfig: Readonly<Record<string, unknown>>;
  }): Promise<void>;
}

interface OperatorSideParts {
  readonly host: Host;
  readonly home: string;
  readonly stateFolder: string;
  readonly plugins: PluginManager;
  readonly events: InternalEvents;
  readonly consents: ConsentStore;
  readonly report: (diagnostic: Diagnostic) => void;
}

export function createOperatorSide({
  host,
  home,
  stateFolder,
  plugins,
  events,
  consents,
  report,
}: OperatorSideParts): OperatorSide {
  const hooks = createOperatorHooks({
    ...host,
    home,
    homeDir: userHomeOf(home),
    stateDir: stateFolder,
    loader: createModuleLoader({ log: host.log, stateDir: stateFolder }),
    consents,
    events,
  });
  /** A listener of `agent:bootstrap` writes the system prompt, which a plugin may be forbidden to do. */
  const mayListen = ({ pluginId, name, events: wanted }: PluginInternalHook): boolean => {
    const writesPrompt = wanted.some((event) => event === 'agent' || event === 'agent:bootstrap');
    if (!writesPrompt || plugins.mayInject(pluginId)) return true;
    const setting = `plugins.entries.${pluginId}.hooks.allowPromptInjection=false`;
    report({
      ...warnDiagnostic('plugin_hook_blocked', `hook "${name}" blocked by ${setting}`, { pluginId }),
      fixes: [{ kind: 'allow-prompt-injection', pluginId }],
    });
    return false;
  };
  let switches: HooksConfig | undefined;
  /**
   * `hooks.internal.enabled: false` stops those of plugins, too; a workspace's file those of its own plugins (OpenClaw
   * documentation, Hook configuration and discovery).
   */
  const isOn = ({ pluginId }: PluginInternalHook): boolean => {
    const origin = plugins.plugins().find(({ id, status }) => id === pluginId && status === 'loaded')?.origin;
    if (switches === undefined || origin === undefined) return true;
    const { enabled } = origin === 'workspace' ? (switches.workspace ?? switches) : switches;
    return enabled !== false;
  };
  const off = ({ pluginId, name }: PluginInternalHook): Diagnostic => {
    const message = `hook "${name}" does not run: hooks.internal.enabled is false`;
    return infoDiagnostic('plugin_hook_off', message, { pluginId });
  };
  const listen = (): void =>
    events.setListeners(
      'plugins',
      plugins.internalHooks().filter((hook) => isOn(hook) && mayListen(hook)),
    );
  const following = plugins.onDidChange(listen);
  return {
    hooks,
    diagnostics: () => [
      ...hooks.diagnostics(),
      ...plugins
        .internalHooks()
        .filter((hook) => !isOn(hook))
        .map(off),
    ],
    async load(input) {
      switches = input.config;
      await hooks.load(input);
      listen();
    },
    dispose() {
      following.dispose();
      hooks.dispose();
    },
  };
}
