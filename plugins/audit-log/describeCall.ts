import { createHash } from 'node:crypto';

type Params = Readonly<Record<string, unknown>>;

/** What the log keeps of the parameters of a call: no contents, unless they are asked for. */
export interface CallSummary {
  readonly keys: readonly string[];
  /** Files and folders that the parameters name. */
  readonly paths?: readonly string[];
  /** First half of SHA-256 over the parameters: two calls with the same hash asked for the same. */
  readonly hash: string;
  readonly params?: string;
}

export type CallOutcome =
  'done' | 'failed' | 'blocked' | 'denied' | 'cancelled' | 'unknown-tool' | 'invalid-params';

/** What became of a call. */
export interface CallVerdict {
  readonly outcome: CallOutcome;
  /** Code of a failure. */
  readonly code?: string;
  /** The plugin that blocked it, or who answered the question about it. */
  readonly by?: string;
  /** Why it was blocked or denied. */
  readonly reason?: string;
  readonly error?: string;
}

const pathKey =
  /^(?:path|paths|file|files|filePath|file_path|folder|dir|directory|cwd|source|target|destination|from|to)$/u;
const maxKeys = 40;
const maxPaths = 20;
const maxPathChars = 300;
const maxReasonChars = 200;
const maxContentChars = 4_000;

/** Pure. `contents` adds the parameters themselves. */
export function describeParams(params: Params, contents: boolean): CallSummary {
  const json = JSON.stringify(params);
  const keys = Object.keys(params);
  const paths = keys
    .filter((key) => pathKey.test(key))
    .flatMap((key) => params[key])
    .filter((value) => typeof value === 'string');
  return {
    keys: keys.slice(0, maxKeys).map((key) => key.slice(0, 80)),
    ...(paths.length === 0
      ? {}
      : { paths: paths.slice(0, maxPaths).map((path) => path.slice(0, maxPathChars)) }),
    hash: createHash('sha256').update(json).digest('hex').slice(0, 32),
    ...(contents ? { params: json.slice(0, maxContentChars) } : {}),
  };
}

/** Refusals that the host itself writes; they count only for a call that never ran, since a tool could forge them. */
const refusals: Readonly<Record<string, CallOutcome>> = {
  blocked: 'blocked',
  denied: 'denied',
  'unknown-tool': 'unknown-tool',
  'invalid-params': 'invalid-params',
};

/** Pure. */
export function describeResult(
  {
    result,
    error,
    durationMs = 0,
  }: { readonly result?: unknown; readonly error?: string; readonly durationMs?: number },
  contents: boolean,
): CallVerdict {
  if (result === undefined) return { outcome: error === 'cancelled' ? 'cancelled' : 'failed' };
  if (error === undefined) return { outcome: 'done' };
  const details = fieldsOf(fieldsOf(result)['details']);
  const text = contents ? { error: error.slice(0, maxContentChars) } : {};
  const refusal = durationMs === 0 ? refusals[textOf(details['status'])] : undefined;
  const code = textOf(details['code']);
  if (refusal === undefined) {
    return { outcome: 'failed', ...(/^[\w-]{1,60}$/u.test(code) ? { code } : {}), ...text };
  }
  const by = textOf(details['pluginId']) || textOf(details['by']);
  const reason = textOf(details['reason']).slice(0, maxReasonChars);
  return { outcome: refusal, ...(by === '' ? {} : { by }), ...(reason === '' ? {} : { reason }), ...text };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
