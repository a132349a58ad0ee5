import type { Diagnostic } from '../contracts/diagnostic.ts';
import { dextoIdPrefix, type PluginRecord, type PluginsConfig } from '../plugins/pluginTypes.ts';
import type { DextoLoadInput } from '../dexto/load/findAgentFile.ts';
import type { DextoPlugins } from '../dexto/load/createDextoPlugins.ts';
import type { CallGuard } from '../plugins/createCallGuard.ts';
import { agentFileId } from '../dexto/load/planLoadReport.ts';
import type { ConsentStore } from '../plugins/consent/consentStore.ts';
import type { PluginChange } from '../plugins/guards/findPluginChanges.ts';
import type { GuardWatch } from '../plugins/guards/createGuardWatch.ts';
import type { PluginLoadInput, PluginManager, PluginSettings } from '../plugins/pluginManager.ts';

interface JoinDialectsParts {
  readonly openClaw: PluginManager;
  readonly dexto: DextoPlugins;
  readonly settings: PluginSettings;
  /** As it is now. */
  readonly config: () => PluginsConfig;
  readonly callGuard: Pick<CallGuard, 'forgive' | 'close'>;
  readonly consents: Pick<ConsentStore, 'forget' | 'reset'>;
  readonly findChanges: (plugin: PluginRecord) => Promise<readonly PluginChange[] | undefined>;
  readonly guards: (plugins: () => readonly PluginRecord[]) => GuardWatch;
  /** Which agent file counts; undefined where none is to be read. */
  readonly agentFile: () => { readonly path?: string } | undefined;
}

/** The plugins of both dialects. */
export interface AllPlugins extends PluginManager {
  /** Why no turn may begin: a guard that should run does not. */
  problem(): Diagnostic | undefined;
  /** What has changed in a plugin since the user agreed to it; undefined where that is not known. */
  changesOf(id: string): Promise<readonly PluginChange[] | undefined>;
  /** Goes on without a plugin that is not in this folder any more: forgets its consent and that it ran, and loads. */
  forget(id: string, rootDir: string): Promise<void>;
  /** Puts consents that can't be read aside, and loads: every workspace plugin is asked about again. */
  resetConsents(): Promise<void>;
}

/**
 * The plugins of both dialects as one list with one set of switches. A plugin's id says whose it is; whatever only one dialect has
 * comes from that one.
 */
export function joinDialects(parts: JoinDialectsParts): AllPlugins {
  const { openClaw, dexto, settings, consents, callGuard, agentFile } = parts;
  const plugins = (): readonly PluginRecord[] => [...openClaw.plugins(), ...dexto.plugins()];
  const guards = parts.guards(plugins);
  let last: PluginLoadInput | undefined;
  let isClosing = false;
  /** Whatever changes what runs ends with a look whether a guard is missing. */
  const thenLook = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } finally {
      if (last !== undefined) await guards.look(last);
    }
  };
  const loadDexto = async (input: PluginLoadInput): Promise<void> => {
    last = input;
    await dexto.load(dextoInput(input, agentFile()));
  };
  /** Writes one key of the user's config; both dialects see it, one of them acts on it. */
  const write = async (
    path: readonly string[],
    value: unknown,
    scope: 'user' | 'workspace',
  ): Promise<void> => {
    const config = await settings.set(path, value, scope);
    if (last !== undefined) await loadDexto({ ...last, config });
  };

  const load = (input: PluginLoadInput): Promise<void> =>
    thenLook(async () => {
      const ours = loadDexto(input);
      // Which files are Dexto plugins is known from the agent file alone; less trust waits for nobody's cleanup.
      if (input.trusted) await ours;
      const taken = (): readonly string[] => dexto.plugins().map(({ source }) => source);
      await Promise.all([ours, openClaw.load({ ...input, taken })]);
    });

  return {
    ...openClaw,
    onDidChange(listener) {
      const subscriptions = [openClaw.onDidChange(listener), dexto.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
    },
    load,
    reload: (id) =>
      thenLook(async () => {
        callGuard.forgive(id === agentFileId ? undefined : id);
        if (id === undefined) await Promise.all([openClaw.reload(), dexto.reload()]);
        else await (isDexto(id) ? dexto.reload() : openClaw.reload(id));
      }),
    plugins,
    problem: () => guards.problem(),
    diagnostics() {
      const all = [...openClaw.diagnostics(), ...dexto.diagnostics()];
      const isKnown = ({ code, message }: Diagnostic): boolean =>
        all.some((each) => each.code === code && each.message === message);
      // What is being taken down is not missed.
      return isClosing ? all : [...all, ...guards.problems().filter((each) => !isKnown(each))];
    },
    redact: (text) => dexto.redact(openClaw.redact(text)),
    setEnabled: (id, enabled, scope) =>
      thenLook(async () => {
        if (isDexto(id)) await write(['entries', id, 'enabled'], enabled, scope);
        else await openClaw.setEnabled(id, enabled, scope);
      }),
    configure: (path, value) => thenLook(() => openClaw.configure(path, value)),
    chooseSlot: (slot, id) => thenLook(() => openClaw.chooseSlot(slot, id)),
    grantConsent: (id, hash) => thenLook(() => (isDexto(id) ? dexto : openClaw).grantConsent(id, hash)),
    async changesOf(id) {
      const plugin = plugins().find((each) => each.id === id && each.needsConsent !== undefined);
      return plugin === undefined ? undefined : await parts.findChanges(plugin);
    },
    async forget(id, rootDir) {
      await consents.forget(id, rootDir);
      if (last !== undefined) await load({ ...last, config: parts.config() });
    },
    async resetConsents() {
      await consents.reset();
      if (last !== undefined) await load({ ...last, config: parts.config() });
    },
    allowRegistrations: (id, names) =>
      thenLook(() => (isDexto(id) ? dexto : openClaw).allowRegistrations(id, names)),
    setDeveloping: (id, developing) => (isDexto(id) ? dexto : openClaw).setDeveloping(id, developing),
    revokeConsent: (id) => thenLook(() => (isDexto(id) ? dexto : openClaw).revokeConsent(id)),
    async isOutdated() {
      return (await Promise.all([openClaw.isOutdated(), dexto.isOutdated()])).includes(true);
    },
    filesChanged: (saved) =>
      thenLook(async () => {
        await dexto.filesChanged(saved);
        await openClaw.filesChanged(saved);
      }),
    async close() {
      isClosing = true;
      try {
        await Promise.all([openClaw.close(), dexto.close()]);
      } finally {
        callGuard.close();
      }
    },
    dispose() {
      openClaw.dispose();
      void dexto.close();
    },
  };
}

function isDexto(id: string): boolean {
  return id.startsWith(dextoIdPrefix);
}

function dextoInput(
  { roots, trusted, config }: PluginLoadInput,
  file: { readonly path?: string } | undefined,
): DextoLoadInput {
  return {
    roots: file === undefined ? [] : roots,
    trusted,
    config,
    ...(file?.path === undefined ? {} : { agentFile: file.path }),
  };
}
