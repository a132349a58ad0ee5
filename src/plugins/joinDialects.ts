import type { Diagnostic } from '../contracts/diagnostic.ts';
import { dextoIdPrefix, type DextoLoadInput, type DextoPlugins } from './dexto/dextoPlugins.ts';
import type { PluginLoadInput, PluginManager, PluginSettings } from './pluginManager.ts';

export interface JoinDialectsParts {
  readonly openClaw: PluginManager;
  readonly dexto: DextoPlugins;
  readonly settings: PluginSettings;
  /** Which agent file counts; undefined where none is to be read. */
  readonly agentFile: () => { readonly path?: string } | undefined;
}

/**
 * The plugins of both dialects as one list with one set of switches. A plugin's id says whose it is; whatever only one dialect has
 * comes from that one.
 */
export function joinDialects({ openClaw, dexto, settings, agentFile }: JoinDialectsParts): PluginManager {
  let last: PluginLoadInput | undefined;
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

  return {
    ...openClaw,
    onDidChange(listener) {
      const subscriptions = [openClaw.onDidChange(listener), dexto.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
    },
    async load(input) {
      const ours = loadDexto(input);
      // Which files are Dexto plugins is known from the agent file alone; less trust waits for nobody's cleanup.
      if (input.trusted) await ours;
      const taken = (): readonly string[] => dexto.plugins().map(({ source }) => source);
      await Promise.all([ours, openClaw.load({ ...input, taken })]);
    },
    async reload(id) {
      if (id === undefined) await Promise.all([openClaw.reload(), dexto.reload()]);
      else await (isDexto(id) ? dexto.reload() : openClaw.reload(id));
    },
    plugins: () => [...openClaw.plugins(), ...dexto.plugins()],
    diagnostics: (): readonly Diagnostic[] => [...openClaw.diagnostics(), ...dexto.diagnostics()],
    redact: (text) => dexto.redact(openClaw.redact(text)),
    async setEnabled(id, enabled, scope) {
      if (isDexto(id)) await write(['entries', id, 'enabled'], enabled, scope);
      else await openClaw.setEnabled(id, enabled, scope);
    },
    grantConsent: (id, hash) => (isDexto(id) ? dexto : openClaw).grantConsent(id, hash),
    setDeveloping: (id, developing) => (isDexto(id) ? dexto : openClaw).setDeveloping(id, developing),
    revokeConsent: (id) => (isDexto(id) ? dexto : openClaw).revokeConsent(id),
    async isOutdated() {
      return (await Promise.all([openClaw.isOutdated(), dexto.isOutdated()])).includes(true);
    },
    async filesChanged(saved) {
      await dexto.filesChanged(saved);
      await openClaw.filesChanged(saved);
    },
    async close() {
      await Promise.all([openClaw.close(), dexto.close()]);
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
