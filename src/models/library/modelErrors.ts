import type { PincerError } from '../../base/errors.ts';
import { isLoopback } from '../../net/isLoopback.ts';
import { modelFailure } from '../modelFailure.ts';

/** The wire protocols that we speak; OpenAI itself is `openai-compatible`. */
export type ModelApi = 'openai-compatible' | 'anthropic' | 'google';

/** What an error may say about the server that was asked. */
export interface ModelServer {
  readonly api: ModelApi;
  /** What was asked for, as a sentence goes on after “the”: `model “qwen3”`. */
  readonly subject: string;
  /** The base URL without its query, which can carry a key. */
  readonly baseUrl: string;
  readonly hasKey: boolean;
  /** Text of the server as errors show it: one line, at most 200 characters, no control characters, no key. */
  quote(text: string): string;
}

const enterKeyAgain =
  'Run “Pincer: Add Model…” to enter the key again. The command line reads it from the environment variable that the config names.';

/** Refused with 401 or 403: no key was sent, or a wrong one. */
export function unauthorized(server: ModelServer, said: string): PincerError {
  return server.hasKey
    ? modelFailure('model_unauthorized', `${server.baseUrl} did not accept the API key${reason(said)}`, {
        hint: enterKeyAgain,
      })
    : modelFailure('model_no_key', `${server.baseUrl} asks for an API key, and none is set${reason(said)}`, {
        hint: 'Run “Pincer: Add Model…” and enter the key. The command line reads it from the environment variable that the config names.',
      });
}

/** The account has nothing left. */
export function quotaExceeded(server: ModelServer, said: string): PincerError {
  return modelFailure('model_quota', `The account at ${server.baseUrl} has no quota left${reason(said)}`, {
    hint: 'Add credit or raise the limit of the account, or choose another model.',
  });
}

/** Nothing there: the model or the address. */
export function gone(server: ModelServer, said: string): PincerError {
  return modelFailure(
    'model_gone',
    `${server.baseUrl} has no ${server.subject}, or is not the right address${reason(said)}`,
    { hint: 'Run “Pincer: Add Model…” to see what the server offers, and check the base URL.' },
  );
}

/** Asked too often. `retryAfterMs` is undefined where the server named no time. */
export function rateLimited(
  server: ModelServer,
  said: string,
  retryAfterMs: number | undefined,
): PincerError {
  const again = retryAfterMs === undefined ? 'Try again later.' : `Try again in ${waiting(retryAfterMs)}.`;
  return modelFailure(
    'model_rate_limited',
    `${server.baseUrl} limits the rate of requests${reason(said)} ${again}`,
    {
      hint: 'Wait, choose another model, or check the limits of the account.',
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

/** The conversation is longer than the model can read. */
export function contextOverflow(server: ModelServer, said: string): PincerError {
  return modelFailure(
    'model_context_overflow',
    `The conversation is too long for the ${server.subject}${reason(said)}`,
    {
      hint: 'Shorten it with /compact, start a new session, or choose a model with a larger context window.',
    },
  );
}

/** Refused for another reason, such as a model that can not call tools. */
export function rejected(server: ModelServer, status: number, said: string): PincerError {
  return modelFailure(
    'model_rejected',
    `${server.baseUrl} refused the request for the ${server.subject} (status ${status})${reason(said)}`,
    {
      hint: 'Check the model and its settings in the config. A model without tools needs "toolCalling": false.',
    },
  );
}

/** 5xx, or a connection that broke. `what` completes "{address} …". */
export function unavailable(
  server: ModelServer,
  what: string,
  said = '',
  retryAfterMs?: number,
): PincerError {
  return modelFailure('model_unavailable', `${server.baseUrl} ${what}${reason(said)}`, {
    hint: 'Send the message again in a moment. If it fails again, look at the status page of the provider.',
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** No connection came about. */
export function offline(server: ModelServer, said: string): PincerError {
  return modelFailure('model_offline', `${server.baseUrl} can not be reached${reason(said)}`, {
    hint: howToCheck(server),
  });
}

/** A redirect is not followed: it would carry the key to an address that nobody chose. */
export function redirected(server: ModelServer, target: string): PincerError {
  return modelFailure(
    'model_gone',
    `${server.baseUrl} points to another address${target === '' ? '.' : `: ${target}`}`,
    { hint: 'If that address is the right one, set it as the base URL.' },
  );
}

/** No first byte, or silence within an answer. `seconds` is the limit that ran out. */
export function timedOut(server: ModelServer, phase: 'start' | 'middle', seconds: number): PincerError {
  const what =
    phase === 'start'
      ? `The ${server.subject} did not begin to answer within ${seconds} s`
      : `The ${server.subject} stopped in the middle of its answer and was silent for ${seconds} s`;
  return modelFailure('model_timeout', `${what} (${server.baseUrl}).`, {
    hint: 'A local model may still be loading: send the message again. If that fails, check the server.',
  });
}

/** Not what the protocol says. `what` is a clause; `shown` is text that passed `ModelServer.quote`. */
export function malformed(server: ModelServer, what: string, shown = ''): PincerError {
  const end = shown === '' ? '.' : `: ${shown}`;
  return modelFailure('model_malformed', `The ${server.subject} at ${server.baseUrl} ${what}${end}`, {
    hint: 'Send the message again. If it fails again, check the base URL, or try another model.',
  });
}

/** The model or the provider's filter would not answer. */
export function refused(server: ModelServer, why: string): PincerError {
  return modelFailure('model_refused', `The ${server.subject} refused to answer${reason(why)}`, {
    hint: 'Say it differently, or choose another model.',
  });
}

/** The user stopped the run. */
export function aborted(): PincerError {
  return modelFailure('model_aborted', 'Cancelled.', { hint: 'Send the message again to go on.' });
}

/** The address, the key or a header can not be used at all; nothing was sent. */
export function misconfigured(message: string, hint = enterKeyAgain): PincerError {
  return modelFailure('model_misconfigured', message, { hint });
}

/** `.`, or `: what the server said`. */
function reason(said: string): string {
  return said === '' ? '.' : `: ${said}`;
}

function waiting(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** Local servers by the port they use unless told otherwise. */
const localServers: Readonly<Record<string, string>> = {
  '11434': 'Is Ollama running? Start it with: ollama serve',
  '1234': 'Is LM Studio running, with its local server switched on?',
  '8000': 'Is vLLM running? It takes a while to load a model.',
  '8080': 'Is llama-server running? It takes a while to load a model.',
};

function howToCheck(server: ModelServer): string {
  const { hostname, port } = new URL(server.baseUrl);
  if (!isLoopback(hostname))
    return 'Check the connection to the internet, the proxy settings and the base URL, then try again.';
  const who = localServers[port] ?? 'Is the server running and the address right?';
  return `${who} Try again once ${server.baseUrl}/models answers in a browser.`;
}
