import { PincerError } from '../../base/errors.ts';
import type { ModelServer } from './modelServer.ts';

const enterKeyAgain =
  'Run “Pincer: Add Model” to enter the key again. The CLI takes it from the environment variable that the config names.';

/** Refused with 401 or 403. */
export function unauthorized(server: ModelServer, said: string): PincerError {
  const what = server.hasKey ? 'did not accept the API key' : 'asks for an API key, and none is set';
  return new PincerError('model_unauthorized', `${server.baseUrl} ${what}${reason(said)}`, {
    hint: enterKeyAgain,
  });
}

/** Nothing there: the model or the address. */
export function notFound(server: ModelServer, said: string): PincerError {
  return new PincerError(
    'model_not_found',
    `${server.baseUrl} has no ${server.subject}, or is not the right address${reason(said)}`,
    {
      hint: `Check the model name and the base URL, which usually ends in /v1. ${server.baseUrl}/models lists what is there.`,
    },
  );
}

/** `wait` is how people read it: `20 s`; undefined where the server named no time. */
export function rateLimited(server: ModelServer, said: string, wait: string | undefined): PincerError {
  const again = wait === undefined ? 'Try again later.' : `Try again in ${wait}.`;
  return new PincerError(
    'model_rate_limited',
    `${server.baseUrl} limits how often it may be asked${reason(said)} ${again}`,
    { hint: 'Wait, choose another model, or check the limits of the account.' },
  );
}

/** The conversation is longer than the model can read. */
export function contextOverflow(server: ModelServer, said: string): PincerError {
  return new PincerError(
    'model_context_overflow',
    `The conversation is too long for the ${server.subject}${reason(said)}`,
    { hint: 'Start a new session with /new, or choose a model with a larger context window.' },
  );
}

/** Refused for another reason, such as a model that can not call tools. */
export function rejected(server: ModelServer, status: number, said: string): PincerError {
  return new PincerError(
    'model_rejected',
    `${server.baseUrl} refused the request for the ${server.subject} (status ${status})${reason(said)}`,
    {
      hint: 'Check the model and its settings in the config. A model without tools needs "toolCalling": false.',
    },
  );
}

/** 5xx, no connection, or a connection that broke. `what` completes "{address} …". */
export function unavailable(server: ModelServer, what: string, said = ''): PincerError {
  return new PincerError('model_unavailable', `${server.baseUrl} ${what}${reason(said)}`, {
    hint: howToCheck(server.baseUrl),
  });
}

/** A redirect is not followed: it would carry the key to an address that nobody chose. */
export function redirected(server: ModelServer, target: string): PincerError {
  return new PincerError(
    'model_unavailable',
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
  return new PincerError('model_timeout', `${what} (${server.baseUrl}).`, {
    hint: 'A local model may still be loading: send the message again. Else check the server.',
  });
}

/** Not what the protocol says. `what` is a clause; `shown` is text that passed `ModelServer.quote`. */
export function malformed(server: ModelServer, what: string, shown = ''): PincerError {
  const end = shown === '' ? '.' : `: ${shown}`;
  return new PincerError('model_malformed', `The ${server.subject} at ${server.baseUrl} ${what}${end}`, {
    hint: 'Send the message again. If it stays, check the base URL, or try another model.',
  });
}

/** Stopped by the provider's content filter. */
export function filtered(server: ModelServer): PincerError {
  return new PincerError(
    'model_filtered',
    `The content filter of ${server.baseUrl} stopped the answer of the ${server.subject}.`,
    { hint: 'Say it differently, or choose another model.' },
  );
}

/** The address, the key or a header can not be used at all; nothing was sent. */
export function misconfigured(message: string, hint = enterKeyAgain): PincerError {
  return new PincerError('model_misconfigured', message, { hint });
}

/** `.`, or `: what the server said`. */
function reason(said: string): string {
  return said === '' ? '.' : `: ${said}`;
}

/** Local servers by the port they use unless told otherwise. */
const localServers: Readonly<Record<string, string>> = {
  '11434': 'Is Ollama running? Start it with: ollama serve',
  '1234': 'Is LM Studio running, with its local server switched on?',
  '8000': 'Is vLLM running? It takes a while to load a model.',
  '8080': 'Is llama-server running? It takes a while to load a model.',
};

function howToCheck(baseUrl: string): string {
  const open = `${baseUrl}/models should answer in a browser.`;
  return `${localServers[new URL(baseUrl).port] ?? 'Is the server running and the address right?'} ${open}`;
}
