import { errorMessage, PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { malformed, type ModelServer } from './modelErrors.ts';
import { reportedError, statusError } from './statusError.ts';

/**
 * What a library threw, or put into its stream, as one of our errors. Its own errors are told by their names: their classes
 * are in another bundle. No cause: they hold the request.
 */
export function libraryError(server: ModelServer, error: unknown): PincerError {
  if (error instanceof PincerError) return error;
  if (!isRecord(error) && !(error instanceof Error)) return reportedError(server, error);
  const { name, statusCode, responseBody, value, text } = error as Readonly<Record<string, unknown>>;
  if (name === 'AI_JSONParseError') {
    const shown = typeof text === 'string' ? text : errorMessage(error);
    return malformed(server, 'sent an event that is no JSON', server.quote(shown));
  }
  if (name === 'AI_TypeValidationError') {
    if (isRecord(value) && value['error'] != null) return reportedError(server, value['error']);
    return malformed(server, 'sent an event of no known shape', server.quote(JSON.stringify(value ?? null)));
  }
  if (typeof statusCode === 'number') {
    const body = typeof responseBody === 'string' ? responseBody : errorMessage(error);
    return statusError(server, { status: statusCode, body: bodyOf(body) });
  }
  if (error instanceof Error && name !== 'AI_ProviderStreamError') {
    return malformed(server, 'sent what can not be read', server.quote(errorMessage(error)));
  }
  return reportedError(server, error);
}

/** A library unwraps `{error}` before it keeps the body. */
function bodyOf(body: string): string {
  return body.includes('"error"') ? body : `{"error":${body}}`;
}

/**
 * True for an event that means nothing to us: a kind that the library does not know yet, or one without content. It is left
 * out; whatever can carry text or a call is not.
 */
export function isUnknownEvent(server: ModelServer, error: unknown): boolean {
  if (!isRecord(error) || error['name'] !== 'AI_TypeValidationError') return false;
  const { value } = error;
  if (!isRecord(value) || value['error'] != null) return false;
  if (server.api === 'openai-compatible') {
    const choices = value['choices'];
    return !Array.isArray(choices) || choices.length === 0;
  }
  if (server.api === 'google') return false;
  const block = value['content_block'];
  const delta = value['delta'];
  const type = String(value['type']);
  if (type === 'content_block_start') return isRecord(block) && !contentTypes.has(String(block['type']));
  if (type === 'content_block_delta') return isRecord(delta) && !contentTypes.has(String(delta['type']));
  return !eventTypes.has(type);
}

const eventTypes = new Set(['message_start', 'message_delta', 'content_block_stop', 'message_stop', 'ping']);
const contentTypes = new Set([
  ...['text', 'thinking', 'redacted_thinking', 'tool_use'],
  ...['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'],
]);
