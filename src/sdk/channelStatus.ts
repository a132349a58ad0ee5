import { DEFAULT_ACCOUNT_ID } from './accountId.ts';
import { isRecord, normalizeOptionalString } from './textHelpers.ts';
import type { ChannelFields } from './types/channelTypes.ts';

/** What a sender is told who was let in. */
export const PAIRING_APPROVED_MESSAGE = 'You are paired now. Send a message to begin.';

/** What runs of one account. */
export interface ChannelRuntimeState {
  readonly accountId: string;
  readonly running: boolean;
  readonly lastStartAt: number | null;
  readonly lastStopAt: number | null;
  readonly lastError: string | null;
}

/** An account that has not been started. */
export function createDefaultChannelRuntimeState<T extends object = object>(
  accountId: string,
  extra?: T,
): ChannelRuntimeState & T {
  const idle = { accountId, running: false, lastStartAt: null, lastStopAt: null, lastError: null };
  return { ...idle, ...extra } as ChannelRuntimeState & T;
}

/** What `setStatus` is told once messages come in. */
export function channelReadyPatch(extra: ChannelFields = {}): ChannelFields {
  return {
    running: true,
    connected: true,
    lifecycle: 'ready',
    lastConnectedAt: Date.now(),
    lastError: null,
    terminalDisconnect: undefined,
    ...extra,
  };
}

/** The state of a channel as a whole. */
export function buildBaseChannelStatusSummary(
  snapshot: ChannelFields,
  extra: ChannelFields = {},
): ChannelFields {
  return { configured: snapshot['configured'] ?? false, ...extra, ...runningOf(snapshot) };
}

/** The same with what a probe found. */
export function buildProbeChannelStatusSummary(
  snapshot: ChannelFields,
  extra: ChannelFields = {},
): ChannelFields {
  return { ...buildBaseChannelStatusSummary(snapshot, extra), ...probeOf(snapshot) };
}

/** The same of a channel that has a token; `mode` is how messages come in. */
export function buildTokenChannelStatusSummary(
  snapshot: ChannelFields,
  options: { readonly includeMode?: boolean } = {},
): ChannelFields {
  return {
    ...buildBaseChannelStatusSummary(snapshot),
    tokenSource: snapshot['tokenSource'] ?? 'none',
    ...probeOf(snapshot),
    ...(options.includeMode === false ? {} : { mode: snapshot['mode'] ?? null }),
  };
}

/** The same of a channel that is called by HTTP. */
export function buildWebhookChannelStatusSummary(
  snapshot: ChannelFields,
  extra: ChannelFields = {},
): ChannelFields {
  return buildBaseChannelStatusSummary(snapshot, { mode: snapshot['mode'] ?? 'webhook', ...extra });
}

interface StatusSnapshotParams {
  readonly runtime?: ChannelFields | undefined;
  readonly probe?: unknown;
}

/** What is told of one account only while it runs. */
const runtimeFields = [
  'linked',
  'connected',
  'restartPending',
  'reconnectAttempts',
  'lastConnectedAt',
  'lastDisconnect',
  'lastEventAt',
  'lastTransportActivityAt',
  'healthState',
  'lifecycle',
  'ingressUnavailable',
  'terminalDisconnect',
  'busy',
  'activeRuns',
  'lastRunActivityAt',
  'activeRunStartedAt',
];

/** The state of one account as it runs. */
export function buildRuntimeAccountStatusSnapshot(
  { runtime = {}, probe }: StatusSnapshotParams,
  extra: ChannelFields = {},
): ChannelFields {
  const told = runtimeFields.filter((field) => runtime[field] !== undefined && runtime[field] !== null);
  return {
    ...runningOf(runtime),
    probe,
    ...Object.fromEntries(told.map((field) => [field, runtime[field]])),
    ...extra,
  };
}

/** The state of one account, with what its settings say. */
export function buildBaseAccountStatusSnapshot(
  params: StatusSnapshotParams & {
    readonly account: {
      readonly accountId: string;
      readonly name?: unknown;
      readonly enabled?: boolean;
      readonly configured?: boolean;
    };
  },
  extra: ChannelFields = {},
): ChannelFields {
  const { account, runtime = {} } = params;
  const { accountId, name, enabled, configured } = account;
  return {
    accountId,
    name,
    enabled,
    configured,
    ...buildRuntimeAccountStatusSnapshot(params),
    lastInboundAt: runtime['lastInboundAt'] ?? null,
    lastOutboundAt: runtime['lastOutboundAt'] ?? null,
    ...extra,
  };
}

type AccountFields = Parameters<typeof buildBaseAccountStatusSnapshot>[0]['account'];

/** The same from fields that stand side by side. */
export function buildComputedAccountStatusSnapshot(
  { runtime, probe, ...account }: StatusSnapshotParams & AccountFields,
  extra: ChannelFields = {},
): ChannelFields {
  return buildBaseAccountStatusSnapshot({ account, runtime, probe }, extra);
}

interface SnapshotRequest<A> extends StatusSnapshotParams {
  readonly account: A;
  readonly cfg: unknown;
}

type Resolved = AccountFields & { readonly extra?: ChannelFields };

type StatusOptions<A, R> = ChannelFields & {
  readonly resolveAccountSnapshot: (params: SnapshotRequest<A>) => R;
};

/** The `status` adapter of a channel whose accounts differ in a few fields alone. */
export function createComputedAccountStatusAdapter<A>(
  options: StatusOptions<A, Resolved>,
): ChannelFields & { buildAccountSnapshot(params: SnapshotRequest<A>): ChannelFields } {
  const { resolveAccountSnapshot, ...adapter } = options;
  return {
    ...adapter,
    buildAccountSnapshot: (params) => snapshotOf(params, resolveAccountSnapshot(params)),
  };
}

/** The same where the fields have to be waited for. */
export function createAsyncComputedAccountStatusAdapter<A>(
  options: StatusOptions<A, Promise<Resolved>>,
): ChannelFields & { buildAccountSnapshot(params: SnapshotRequest<A>): Promise<ChannelFields> } {
  const { resolveAccountSnapshot, ...adapter } = options;
  return {
    ...adapter,
    buildAccountSnapshot: async (params) => snapshotOf(params, await resolveAccountSnapshot(params)),
  };
}

export interface ChannelStatusIssue {
  readonly channel: string;
  readonly accountId: string;
  readonly kind: 'intent' | 'permissions' | 'config' | 'auth' | 'runtime';
  readonly message: string;
  readonly fix?: string;
}

type Snapshots = readonly (ChannelFields & { readonly accountId?: string })[];

/** What went wrong last in each account. */
export function collectStatusIssuesFromLastError(channel: string, accounts: Snapshots): ChannelStatusIssue[] {
  return accounts.flatMap(({ accountId = DEFAULT_ACCOUNT_ID, lastError }) => {
    const text = normalizeOptionalString(lastError);
    return text === undefined
      ? []
      : [{ channel, accountId, kind: 'runtime', message: `Channel error: ${text}` }];
  });
}

/** What is missing in accounts of which one secret is of no use without another one. */
export function createDependentCredentialStatusIssueCollector(options: {
  readonly channel: string;
  readonly dependencySourceKey: string;
  readonly missingPrimaryMessage: string;
  readonly missingDependentMessage: string;
  readonly isDependencyConfigured?: (value: unknown) => boolean;
}): (accounts: Snapshots) => ChannelStatusIssue[] {
  const { channel, dependencySourceKey, missingPrimaryMessage, missingDependentMessage } = options;
  const isThere =
    options.isDependencyConfigured ??
    ((value: unknown) => (normalizeOptionalString(value) ?? 'none') !== 'none');
  return (accounts) =>
    accounts
      .filter(({ configured }) => configured === false)
      .map((account) => ({
        channel,
        accountId: account.accountId ?? '',
        kind: 'config',
        message: isThere(account[dependencySourceKey]) ? missingDependentMessage : missingPrimaryMessage,
      }));
}

/** The account's id where it can be started. */
export function resolveEnabledConfiguredAccountId(account: {
  readonly accountId?: string;
  readonly enabled?: boolean;
  readonly configured?: boolean;
}): string | null {
  const isReady = account.enabled !== false && account.configured === true;
  return isReady ? (normalizeOptionalString(account.accountId) ?? DEFAULT_ACCOUNT_ID) : null;
}

/** Where the secrets of an account come from, never the secrets. */
export function projectCredentialSnapshotFields(account: unknown): ChannelFields {
  if (!isRecord(account)) return {};
  return Object.fromEntries(
    Object.entries(account).filter(
      ([key, value]) => /(?:Source|Status)$/u.test(key) && typeof value === 'string',
    ),
  );
}

const usable = (status: unknown): boolean => status !== undefined && status !== null && status !== 'missing';

/** True where one of these secrets is there; undefined where none is spoken of. */
export function resolveConfiguredFromCredentialStatuses(account: unknown): boolean | undefined {
  const statuses = statusesOf(account);
  return statuses.length === 0 ? undefined : statuses.some(usable);
}

/** True where all of these secrets are there; undefined where none is spoken of. */
export function resolveConfiguredFromRequiredCredentialStatuses(
  account: unknown,
  keys: readonly string[],
): boolean | undefined {
  const fields = isRecord(account) ? account : {};
  const spoken = keys.filter((key) => fields[key] !== undefined);
  return spoken.length === 0 ? undefined : keys.every((key) => usable(fields[key]));
}

function statusesOf(account: unknown): readonly unknown[] {
  if (!isRecord(account)) return [];
  return Object.keys(account)
    .filter((key) => key.endsWith('Status'))
    .map((key) => account[key]);
}

function snapshotOf(
  { runtime, probe }: StatusSnapshotParams,
  { extra, ...account }: Resolved,
): ChannelFields {
  return buildBaseAccountStatusSnapshot({ account, runtime, probe }, extra);
}

function runningOf(state: ChannelFields): ChannelFields {
  return {
    running: state['running'] ?? false,
    lastStartAt: state['lastStartAt'] ?? null,
    lastStopAt: state['lastStopAt'] ?? null,
    lastError: state['lastError'] ?? null,
  };
}

function probeOf(snapshot: ChannelFields): ChannelFields {
  return { probe: snapshot['probe'], lastProbeAt: snapshot['lastProbeAt'] ?? null };
}
