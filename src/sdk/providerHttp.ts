// Threat: a server answers without end, or with a text that holds the key it was sent. So every answer is read up to a limit, and no
// more of an error's body is told than its message, one line of it.
import { asOptionalRecord } from './coerce.ts';
import { normalizeOptionalString } from './textHelpers.ts';

/** Most bytes of an answer, where the caller names no limit. */
const mostBytes = 16 * 1024 * 1024;
/** Most bytes of an error's answer that are looked at, and characters of its message that are told. */
const mostErrorBytes = 16_384;
const mostErrorChars = 500;

export interface ReadResponseOptions {
  readonly maxBytes?: number;
}

/** A server's answer that is no success (`openclaw/plugin-sdk/provider-http`). */
export class ProviderHttpError extends Error {
  override readonly name = 'ProviderHttpError';
  readonly status: number;
  readonly code: string | undefined;

  constructor(
    message: string,
    { status, code }: { readonly status: number; readonly code?: string | undefined },
  ) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @throws ProviderHttpError `LABEL (STATUS): MESSAGE` */
export async function assertOkOrThrowProviderError(response: Response, label: string): Promise<void> {
  if (!response.ok) throw await toError(response, `${label} (${String(response.status)})`);
}

/** @throws ProviderHttpError `LABEL (HTTP STATUS): MESSAGE` */
export async function assertOkOrThrowHttpError(response: Response, label: string): Promise<void> {
  if (!response.ok) throw await toError(response, `${label} (HTTP ${String(response.status)})`);
}

/** @throws Error naming `label` where the answer is no JSON or too long */
export async function readProviderJsonResponse(
  response: Response,
  label: string,
  options: ReadResponseOptions = {},
): Promise<unknown> {
  const text = await readProviderTextResponse(response, label, options);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(`${label}: malformed JSON response`, { cause });
  }
}

/** As `readProviderJsonResponse`, for an answer that has to be an object. */
export async function readProviderJsonObjectResponse(
  response: Response,
  label: string,
  options: ReadResponseOptions = {},
): Promise<Record<string, unknown>> {
  const object = asOptionalRecord(await readProviderJsonResponse(response, label, options));
  if (object === undefined) throw new Error(`${label}: malformed JSON response`);
  return object;
}

/** @throws Error naming `label` where the answer is too long */
export async function readProviderTextResponse(
  response: Response,
  label: string,
  { maxBytes = mostBytes }: ReadResponseOptions = {},
): Promise<string> {
  const { bytes, isWhole } = await readBytes(response, maxBytes);
  if (!isWhole) throw new Error(`${label}: response exceeds ${String(maxBytes)} bytes`);
  return new TextDecoder().decode(bytes);
}

export interface TimeoutSignalOptions {
  /** Milliseconds; without it only `signal` ends the call. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** What is done, for the error. */
  readonly operation?: string;
}

export interface TimeoutSignal {
  readonly signal: AbortSignal | undefined;
  /** To be called once the work has ended. */
  readonly cleanup: () => void;
  /** Begins the time anew. */
  readonly refresh: () => void;
}

/** A signal that is aborted by the caller's, or once the time is over (`openclaw/plugin-sdk/extension-shared`). */
export function buildTimeoutAbortSignal({
  timeoutMs,
  signal,
  operation,
}: TimeoutSignalOptions): TimeoutSignal {
  if (timeoutMs === undefined || timeoutMs <= 0)
    return { signal, cleanup: () => undefined, refresh: () => undefined };
  const limit = new AbortController();
  const start = () =>
    setTimeout(() => {
      const what = operation ?? 'the call';
      limit.abort(new DOMException(`${what} took longer than ${String(timeoutMs)} ms`, 'TimeoutError'));
    }, timeoutMs);
  let timer: NodeJS.Timeout | undefined = start();
  return {
    signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    cleanup() {
      clearTimeout(timer);
      timer = undefined;
    },
    refresh() {
      if (timer === undefined || limit.signal.aborted) return;
      clearTimeout(timer);
      timer = start();
    },
  };
}

/** `fetch` with a time limit in milliseconds for all of the answer's head. */
export async function fetchWithTimeout(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  fetchLike: typeof fetch = fetch,
): Promise<Response> {
  const { signal, cleanup } = buildTimeoutAbortSignal({
    timeoutMs,
    ...(init.signal == null ? {} : { signal: init.signal }),
  });
  try {
    return await fetchLike(url, { ...init, ...(signal === undefined ? {} : { signal }) });
  } finally {
    cleanup();
  }
}

async function toError(response: Response, head: string): Promise<ProviderHttpError> {
  const { bytes } = await readBytes(response, mostErrorBytes);
  const { message, code } = messageIn(new TextDecoder().decode(bytes));
  const tail = message === undefined ? '' : `: ${message.replace(/\s+/gu, ' ').slice(0, mostErrorChars)}`;
  return new ProviderHttpError(`${head}${tail}`, { status: response.status, code });
}

/** The message in the shapes that servers of models use; of another one, its first text. */
function messageIn(body: string): {
  readonly message: string | undefined;
  readonly code: string | undefined;
} {
  let root: Record<string, unknown> | undefined;
  try {
    root = asOptionalRecord(JSON.parse(body) as unknown);
  } catch {
    // No JSON: the text itself is the message.
    return { message: normalizeOptionalString(body), code: undefined };
  }
  const subject = asOptionalRecord(root?.['error']) ?? asOptionalRecord(root?.['detail']) ?? root;
  const texts = [subject?.['message'], subject?.['detail'], root?.['error_description'], root?.['error']];
  return {
    message: texts.map(normalizeOptionalString).find((each) => each !== undefined),
    code: normalizeOptionalString(subject?.['code']),
  };
}

async function readBytes(
  { body }: Response,
  limit: number,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the stream, and with it the server's work.
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    length += part.byteLength;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(parts).subarray(0, limit), isWhole: length <= limit };
}
