import { PincerError } from '../base/errors.ts';
import { inertLine } from '../base/text.ts';

const maxShown = 300;

/** An address may come from a model or a server: one line, nothing hidden. */
function shown(url: string): string {
  return inertLine(url, maxShown);
}

export function blockedUrl(url: string, reason: string): PincerError {
  return new PincerError('net_blocked', `Blocked: ${shown(url)}: ${reason}.`, {
    hint: 'Only http and https addresses of public hosts can be fetched. Use another address.',
  });
}

export function blockedAddress(host: string, address: string, reason: string): PincerError {
  return new PincerError(
    'net_blocked',
    `Blocked: ${shown(host)} resolves to ${shown(address)}, a private, internal or special-use address: ${reason}.`,
    { hint: 'Only public hosts can be fetched.' },
  );
}

export function unknownHost(host: string): PincerError {
  return new PincerError('net_unknown_host', `No address was found for ${shown(host)}.`, {
    hint: 'Check how the host is written.',
  });
}

export function proxyForbidden(variable: string): PincerError {
  return new PincerError(
    'net_proxy',
    `Blocked: ${variable} sends requests through a proxy, so it can't be checked which address they reach.`,
    { hint: 'The user can set tools.web.fetch.allowProxy to true to allow that.' },
  );
}

export function tooManyRedirects(limit: number): PincerError {
  return new PincerError('net_redirects', `Too many redirects (limit: ${limit}).`);
}

export function redirectLoop(url: string): PincerError {
  return new PincerError('net_redirect_loop', `Redirect loop detected at ${shown(url)}.`);
}

export function redirectDowngrade(url: string): PincerError {
  return new PincerError(
    'net_redirect_downgrade',
    `Blocked: a redirect from https to ${shown(url)}, which is not encrypted.`,
  );
}

export function redirectElsewhere(from: string, to: string): PincerError {
  return new PincerError(
    'net_redirect_elsewhere',
    `${shown(from)} redirects to another host: ${shown(to)}. It was not followed.`,
    { hint: 'To read it, ask for that address in a call of its own.' },
  );
}

export function netTimeout(host: string, timeoutMs: number): PincerError {
  return new PincerError(
    'net_timeout',
    `${shown(host)} did not answer completely within ${timeoutMs / 1000} s.`,
  );
}

export function streamTooLarge(host: string, maxBytes: number): PincerError {
  return new PincerError('net_too_large', `${host} sent more than ${maxBytes} bytes in one stream.`);
}

export function unknownEncoding(encoding: string): PincerError {
  return new PincerError('net_encoding', `The answer is packed as ${shown(encoding)}, which can't be read.`);
}

export function brokenEncoding(encoding: string, cause: unknown): PincerError {
  return new PincerError(
    'net_encoding',
    `The answer says it is packed as ${shown(encoding)}, but is broken.`,
    {
      cause,
    },
  );
}
