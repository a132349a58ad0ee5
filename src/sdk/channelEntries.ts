import type { ChannelConfigSchema } from './channelConfigSchema.ts';
import { emptyPluginConfigSchema } from './pluginConfigSchema.ts';
import type { ChannelPlugin } from './types/listedTypes.ts';
import type { OpenClawPluginApi } from './types/pluginApi.ts';

/** One export of a file that lies beside the entry. */
export interface EntryModuleRef {
  readonly specifier: string;
  /** Missing: the default export, or the module. */
  readonly exportName?: string;
}

/** Loads one export of a file of the plugin. @throws Error where the file has no such export */
export type LoadEntryExport = (importMetaUrl: string, reference: EntryModuleRef) => unknown;

interface EntryHooks {
  readonly registerCliMetadata?: (api: OpenClawPluginApi) => void;
  readonly registerFull?: (api: OpenClawPluginApi) => void;
  readonly registerCapabilities?: (api: OpenClawPluginApi) => void;
}

type SchemaOrMaker = ChannelConfigSchema | (() => ChannelConfigSchema);

export interface BundledChannelEntryOptions extends EntryHooks {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly importMetaUrl: string;
  readonly plugin: EntryModuleRef;
  readonly outbound?: EntryModuleRef;
  readonly secrets?: EntryModuleRef;
  readonly runtime?: EntryModuleRef;
  readonly accountInspect?: EntryModuleRef;
  readonly configSchema?: SchemaOrMaker;
  readonly features?: Readonly<Record<string, boolean>>;
}

export interface BundledChannelSetupEntryOptions {
  readonly importMetaUrl: string;
  readonly plugin: EntryModuleRef;
  readonly secrets?: EntryModuleRef;
  readonly runtime?: EntryModuleRef;
  readonly legacyStateMigrations?: EntryModuleRef;
  readonly legacySessionSurface?: EntryModuleRef;
  readonly registerSetupRuntime?: (api: OpenClawPluginApi) => void;
  readonly features?: Readonly<Record<string, boolean>>;
}

/** What a plugin module exports that has one channel. */
export interface ChannelEntry extends ChannelSetupEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly configSchema: ChannelConfigSchema;
  register(api: OpenClawPluginApi): void;
}

export interface ChannelSetupEntry {
  readonly kind?: string;
  readonly [more: string]: unknown;
}

export interface ChannelEntryOptions extends EntryHooks {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly plugin: ChannelPlugin;
  readonly configSchema?: SchemaOrMaker;
  readonly setRuntime?: (runtime: OpenClawPluginApi['runtime']) => void;
}

/** The entry of a plugin that has its channel at hand. */
export function defineChannelPluginEntry(options: ChannelEntryOptions): ChannelEntry & {
  readonly channelPlugin: ChannelPlugin;
} {
  const { id, name, description, plugin, setRuntime } = options;
  return {
    id,
    name,
    description,
    ...lazySchema(options.configSchema),
    register: (api) => registerChannel(api, options, () => plugin, setRuntime),
    channelPlugin: plugin,
    ...(setRuntime === undefined ? {} : { setChannelRuntime: setRuntime }),
  };
}

/** The entry of a plugin whose channel serves its setup alone. */
export function defineSetupPluginEntry(plugin: ChannelPlugin): { readonly plugin: ChannelPlugin } {
  return { plugin };
}

/** The entries of plugins whose parts are loaded from files beside the entry when they are needed. */
export function createChannelEntries(
  load: LoadEntryExport,
  registers?: (api: OpenClawPluginApi) => void,
): {
  readonly defineBundledChannelEntry: (options: BundledChannelEntryOptions) => ChannelEntry;
  readonly defineBundledChannelSetupEntry: (options: BundledChannelSetupEntryOptions) => ChannelSetupEntry;
} {
  const loaderOf = (importMetaUrl: string, reference: EntryModuleRef) => (): unknown =>
    load(importMetaUrl, reference);
  const setterOf =
    (importMetaUrl: string, reference: EntryModuleRef) =>
    (runtime: unknown): void => {
      (load(importMetaUrl, reference) as (runtime: unknown) => void)(runtime);
    };
  const optional = (
    importMetaUrl: string,
    parts: Readonly<Record<string, EntryModuleRef | undefined>>,
  ): Readonly<Record<string, () => unknown>> =>
    Object.fromEntries(
      Object.entries(parts).flatMap(([key, reference]) =>
        reference === undefined ? [] : [[key, loaderOf(importMetaUrl, reference)] as const],
      ),
    );
  return {
    defineBundledChannelEntry(options) {
      const { id, name, description, importMetaUrl, plugin, runtime, accountInspect, features } = options;
      const setChannelRuntime = runtime === undefined ? undefined : setterOf(importMetaUrl, runtime);
      const loadChannelPlugin = loaderOf(importMetaUrl, plugin) as () => ChannelPlugin;
      return {
        kind: 'bundled-channel-entry',
        id,
        name,
        description,
        ...lazySchema(options.configSchema),
        features: { ...features, ...(accountInspect === undefined ? {} : { accountInspect: true }) },
        register(api) {
          registers?.(api);
          registerChannel(api, options, loadChannelPlugin, setChannelRuntime);
        },
        loadChannelPlugin,
        ...optional(importMetaUrl, {
          loadChannelOutbound: options.outbound,
          loadChannelSecrets: options.secrets,
          loadChannelAccountInspector: accountInspect,
        }),
        ...(setChannelRuntime === undefined ? {} : { setChannelRuntime }),
      };
    },
    defineBundledChannelSetupEntry(options) {
      const { importMetaUrl, runtime, registerSetupRuntime, features } = options;
      return {
        kind: 'bundled-channel-setup-entry',
        ...optional(importMetaUrl, {
          loadSetupPlugin: options.plugin,
          loadSetupSecrets: options.secrets,
          loadLegacyStateMigrationDetector: options.legacyStateMigrations,
          loadLegacySessionSurface: options.legacySessionSurface,
        }),
        ...(runtime === undefined ? {} : { setChannelRuntime: setterOf(importMetaUrl, runtime) }),
        ...(registerSetupRuntime === undefined ? {} : { registerSetupRuntime }),
        ...(features === undefined ? {} : { features }),
      };
    },
  };
}

function registerChannel(
  api: OpenClawPluginApi,
  hooks: EntryHooks,
  loadPlugin: () => ChannelPlugin,
  setRuntime: ((runtime: OpenClawPluginApi['runtime']) => void) | undefined,
): void {
  api.registerChannel({ plugin: loadPlugin() });
  setRuntime?.(api.runtime);
  hooks.registerCliMetadata?.(api);
  hooks.registerFull?.(api);
  hooks.registerCapabilities?.(api);
}

/** Made when somebody looks. */
function lazySchema(schema: SchemaOrMaker | undefined): { readonly configSchema: ChannelConfigSchema } {
  let made: ChannelConfigSchema | undefined;
  return Object.defineProperty({}, 'configSchema', {
    enumerable: true,
    get: () => (made ??= madeSchema(schema)),
  }) as { readonly configSchema: ChannelConfigSchema };
}

function madeSchema(schema: SchemaOrMaker | undefined): ChannelConfigSchema {
  if (schema === undefined) return { schema: emptyPluginConfigSchema().jsonSchema };
  return typeof schema === 'function' ? schema() : schema;
}
