import { missingSymbol } from '../openclaw/missingSymbol.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;

interface SymbolModule {
  /** As plugins import it. */
  readonly name: string;
  readonly pluginId: string;
  readonly own: ModuleExports;
  /** Looked into where `own` lacks a symbol; default: nothing. */
  readonly more?: ModuleExports;
}

/**
 * A module that the program provides. Every symbol can be imported from it, and it is its own default export; one that is
 * missing throws when it is used.
 */
export function createSymbolModule({ name, pluginId, own, more = {} }: SymbolModule): ModuleExports {
  const exports: ModuleExports = { ...own, __esModule: true };
  // With a `then`, whoever imports it would wait for it as for a promise.
  const isExportName = (key: string | symbol): key is string => typeof key === 'string' && key !== 'then';
  const proxy: ModuleExports = new Proxy(exports, {
    has: (_, key) => isExportName(key),
    get(_, key) {
      if (!isExportName(key)) return Reflect.get(exports, key) as unknown;
      if (Object.hasOwn(exports, key)) return exports[key];
      if (key === 'default') return proxy;
      return Object.hasOwn(more, key) ? more[key] : absentSymbol(key, name, pluginId);
    },
  });
  return proxy;
}

/**
 * What channels and providers make of parts of upstream that do not exist here, while they load: steps of a setup wizard, buttons that
 * approve from a chat, migrations of older settings. A plugin only passes on what it gets for them, so making it is no reason not to load;
 * using it throws, as for every symbol that is missing. An entry says which part it is.
 */
const makers: Readonly<Record<string, readonly string[]>> = {
  'approvals in a chat': [
    'createApproverRestrictedNativeApprovalCapability',
    'createApproverRestrictedNativeApprovalCapabilityFromForwardingRoutes',
    'createApprovalReactionTargetStore',
    'createChannelApprovalAuth',
    'createChannelApprovalCapability',
    'createChannelApproverDmTargetResolver',
    'createChannelExecApprovalProfile',
    'createChannelNativeOriginTargetResolver',
    'createLazyChannelApprovalNativeRuntimeAdapter',
    'createNativeApprovalChannelRouteGates',
    'createNativeApprovalControlRegistry',
    'createNativeApprovalForwardingFallbackSuppressor',
    'createNativeApprovalMessagingTargetResolvers',
    'createQuestionReactionTargetStore',
    'questionGatewayRuntime',
    'splitChannelApprovalCapability',
  ],
  'the setup wizard': [
    'baseUrlTextInput',
    'createAllowFromSection',
    'createAllowlistSetupWizardProxy',
    'createChannelDmPolicy',
    'createCliPathTextInput',
    'createDelegatedSetupWizardProxy',
    'createDelegatedTextInputShouldPrompt',
    'createDetectedBinaryStatus',
    'createEnvPatchedAccountSetupAdapter',
    'createPatchedAccountSetupAdapter',
    'createPromptParsedAllowFromForAccount',
    'createSetupInputPresenceValidator',
    'createStandardChannelSetupStatus',
    'createTopLevelChannelAllowFromSetter',
    'createTopLevelChannelDmPolicy',
    'createTopLevelChannelDmPolicySetter',
    'createTopLevelChannelGroupPolicySetter',
    'createTopLevelChannelParsedAllowFromPrompt',
    'defineTokenCredential',
  ],
  'the doctor': [
    'createDangerousNameMatchingMutableAllowlistWarningCollector',
    'createLegacyPrivateNetworkDoctorContract',
    'defineChannelAliasMigration',
    'defineKeyMoveMigration',
    'defineStrayPluginEntryConfigMigration',
    'buildMutableAllowEntryDetector',
  ],
  'changes of the allowlist from a chat': [
    'buildDmGroupAccountAllowlistAdapter',
    'buildLegacyDmAccountAllowlistAdapter',
    'createAccountScopedAllowlistNameResolver',
    'createFlatAllowlistOverrideResolver',
    'createNestedAllowlistOverrideResolver',
  ],
  'the registry of secrets': [
    'createChannelSecretTargetRegistryEntries',
    'createSimpleChannelSecretContract',
  ],
  'the setup of a provider': [
    'applyAuthProfileConfig',
    'createDefaultModelsConnectionPresetAppliers',
    'createDefaultModelsPresetAppliers',
    'createModelCatalogPresetAppliers',
    'createProviderConnectionPresetAppliers',
  ],
  'what providers make of requests and histories': [
    'applyModelCompatPatch',
    'applyProviderNativeStreamingUsageCompat',
    'buildProviderStreamFamilyHooks',
    'buildProviderToolCompatFamilyHooks',
    'resolveFamilyForwardCompatModel',
  ],
  'media that providers make and read': [
    'buildDashscopeVideoGenerationProvider',
    'describeOpenAiCompatibleVideo',
    'transcribeOpenAiCompatibleAudio',
  ],
  'formats of a chat': ['FormatCapabilityProfile'],
  'the ingress of a channel': [
    'createAllowedChatSenderMatcher',
    'createDirectDmPreCryptoGuardPolicy',
    'createChannelApiRetryRunner',
    'createInboundEventDeliveryCorrelation',
    'createPluginStateErrorReporter',
    'createResolvedDirectoryEntriesLister',
    'identityEntryAuthenticationClassifier',
  ],
};

const deferred: ReadonlySet<string> = new Set(Object.values(makers).flat());

/** What a plugin gets for a symbol of the SDK that is not here. */
function absentSymbol(symbol: string, module: string, pluginId: string): unknown {
  return deferred.has(symbol)
    ? standIn(symbol, (name) => missingSymbol(name, module, pluginId))
    : missingSymbol(symbol, module, pluginId);
}

/** A function whose result, and whose members' results, hold nothing and can be passed on; calling one of those throws. */
function standIn(symbol: string, missing: (name: string) => unknown): unknown {
  const empty = function (): void {
    // Only its traps are used.
  };
  const made = (name: string): unknown =>
    new Proxy(empty, {
      apply: () => (missing(name) as () => unknown)(),
      construct: () => (missing(name) as () => object)(),
      get(target, key) {
        if (key === Symbol.iterator) return [][Symbol.iterator];
        if (key === 'then') return undefined;
        return typeof key === 'symbol' || Object.hasOwn(target, key)
          ? (Reflect.get(target, key) as unknown)
          : made(`${name}.${key}`);
      },
    });
  return new Proxy(empty, {
    apply: () => made(`${symbol}()`),
    construct: () => made(`${symbol}()`) as object,
    // `X.define(…)` of the one that is an object.
    get: (target, key) =>
      typeof key === 'symbol' || Object.hasOwn(target, key)
        ? (Reflect.get(target, key) as unknown)
        : standIn(`${symbol}.${key}`, missing),
  });
}
