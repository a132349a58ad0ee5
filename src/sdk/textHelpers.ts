/** Small readers of unknown values. */

/** True for objects that are no lists. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as record, or an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Trimmed text; undefined for what is no text or is blank. */
export function normalizeOptionalString(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** As `normalizeOptionalString`, in lower case. */
export function normalizeOptionalLowercaseString(value: unknown): string | undefined {
  return normalizeOptionalString(value)?.toLowerCase();
}

/** Trimmed text in lower case; empty for what is no text. */
export function normalizeLowercaseStringOrEmpty(value: unknown): string {
  return normalizeOptionalLowercaseString(value) ?? '';
}

/** The text of anything that was thrown. */
export function formatErrorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  if (typeof thrown === 'string') return thrown;
  const json: unknown = JSON.stringify(thrown);
  return typeof json === 'string' ? json : String(thrown);
}

/** What to answer where a request's body could not be read. */
export function requestBodyErrorToText(code: string): string {
  return bodyErrors[code] ?? 'Request body could not be read';
}

const bodyErrors: Readonly<Record<string, string>> = {
  PAYLOAD_TOO_LARGE: 'Payload too large',
  REQUEST_BODY_TIMEOUT: 'Request body timeout',
  CONNECTION_CLOSED: 'Connection closed',
};

/** The trimmed text of a string or a number; undefined for anything else. */
export function normalizeStringifiedOptionalString(value: unknown): string | undefined {
  return normalizeOptionalString(typeof value === 'number' ? String(value) : value);
}

/** A whole number above zero, given as a number or as digits alone. */
export function parseStrictPositiveInteger(value: unknown): number | undefined {
  const number = parseStrictNonNegativeInteger(value);
  return number === 0 ? undefined : number;
}

/** The same, zero included. */
export function parseStrictNonNegativeInteger(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/u.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** What a text says as JSON; undefined where it is none. */
export function safeParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The caller asks whether it is JSON: that it is not is an answer.
    return undefined;
  }
}
